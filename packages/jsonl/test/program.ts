// Runs the small programs in test/fixtures as processes of their own, over a bundle of the library (Node 20 does
// not run TypeScript).
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv, type FaultRule, faultEnv, tempFolder } from '@switchyard/testkit'

const esbuild = fileURLToPath(new URL('../../../node_modules/.bin/esbuild', import.meta.url))
const source = fileURLToPath(new URL('../src/index.ts', import.meta.url))
let bundle: string | undefined

function libraryBundle(): string {
  if (bundle === undefined || !existsSync(bundle)) {
    bundle = join(tempFolder('jsonl-bundle'), 'jsonl.cjs')
    const options = ['--bundle', '--platform=node', '--format=cjs', '--log-level=error', `--outfile=${bundle}`]
    execFileSync(esbuild, [source, ...options])
  }
  return bundle
}

function commandOf(program: string, args: readonly string[]): string[] {
  return [fileURLToPath(new URL(`fixtures/${program}.mjs`, import.meta.url)), ...args]
}

function environment(fault: FaultRule | undefined): NodeJS.ProcessEnv {
  return cleanEnv({ JSONL: libraryBundle(), ...(fault === undefined ? {} : faultEnv(fault)) })
}

export type Ran = { code: number | null; signal: string | null; stdout: string; stderr: string }

/** Runs a program to its end. */
export function runProgram(program: string, args: readonly string[], fault?: FaultRule): Ran {
  const options = { env: environment(fault), encoding: 'utf8' } as const
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, commandOf(program, args), options)
  return { code: status, signal, stdout, stderr }
}

export type Running = { child: ChildProcess; done: Promise<Ran>; saw(text: string): Promise<void> }

/** Starts a program; `saw` resolves when its stdout contains a text, or when it has ended. */
export function startProgram(program: string, args: readonly string[], fault?: FaultRule): Running {
  const child = spawn(process.execPath, commandOf(program, args), { env: environment(fault), stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  let look: () => void = () => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const done = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  const saw = (text: string) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (stdout.includes(text)) resolve()
      }
      look()
      done.then(
        () => resolve(),
        () => resolve(),
      )
    })
  return { child, done, saw }
}

/** Resolves to true when the process has been stopped by a signal, to false when it has ended. */
export async function hasStopped({ child }: Running): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    if (stateOf(child.pid ?? 0).startsWith('T')) return true
    await pause(5)
  }
  return false
}

/** How many file calls a program makes, by running it undisturbed. */
export function countSteps(program: string, args: readonly string[]): number {
  return traceOf(program, args).length
}

/** The file calls that a program makes, such as `3 writeSync /a/t.jsonl`, by running it undisturbed. */
export function traceOf(program: string, args: readonly string[]): string[] {
  const trace = join(tempFolder('trace'), 'trace')
  const ran = runProgram(program, args, { call: '*', nth: 0, action: 'kill', trace })
  if (ran.code !== 0) throw new Error(`${program} ended with ${ran.code}: ${ran.stderr}`)
  return readFileSync(trace, 'utf8').split('\n').slice(0, -1)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

function stateOf(pid: number): string {
  if (existsSync('/proc/self/stat')) {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
      throw error
    }
  }
  return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
}
