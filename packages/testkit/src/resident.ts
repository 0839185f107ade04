import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempFolder } from './folder.ts'

const program = fileURLToPath(new URL('../preload/resident.cjs', import.meta.url))

/** Room, in megabytes, for the modules of a call, which nobody needs after it: in less V8 copies many of them. */
const youngHeap = '--max-semi-space-size=32'

/** A command line for the resident: a built binary and what a process of its own would have been given. */
export type Call = {
  bin: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  input: string | Uint8Array
}

export type Answered = { code: number; stdout: string; stderr: string }

type Resident = { requests: number; answers: number; folder: string }

let running: Resident | undefined

/**
 * Runs a built tool in a process that stays for the next call: modules, working folder, environment, stdin and exit
 * code are the call's own, the start of Node is not. Returns when the call has ended.
 */
export function askResident({ bin, args, cwd, env, input }: Call): Answered {
  running ??= startResident()
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  const request = { bin, args, cwd, env: given, stdin: Buffer.from(input).toString('base64') }
  const body = Buffer.from(JSON.stringify(request))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(body.length)
  const whole = Buffer.concat([head, body])
  for (let done = 0; done < whole.length; ) done += writeSync(running.requests, whole, done)
  const length = readBytes(running.answers, 4).readUInt32LE()
  const { code, stdout, stderr, last } = JSON.parse(readBytes(running.answers, length).toString())
  if (last) running = undefined
  const text = (base64: string) => Buffer.from(base64, 'base64').toString()
  return { code, stdout: text(stdout), stderr: text(stderr) }
}

function startResident(): Resident {
  const folder = tempFolder('resident')
  const [requests = '', answers = ''] = ['requests', 'answers'].map((name) => join(folder, name))
  makePipes(requests, answers)
  spawnResident(requests, answers)
  return { requests: openSync(requests, 'w'), answers: openSync(answers, 'r'), folder }
}

/** Makes named pipes, through which a resident hears and answers. */
export function makePipes(...paths: readonly string[]): void {
  const made = spawnSync('mkfifo', paths, { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`mkfifo: ${made.stderr}`)
}

/** Starts one on its words; it keeps nobody from ending. */
export function spawnResident(...words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [youngHeap, program, ...words], { stdio: ['ignore', 'ignore', 'inherit'] })
  child.unref()
  return child
}

function readBytes(fd: number, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  for (let done = 0; done < count; ) {
    const got = readSync(fd, bytes, done, count - done, null)
    if (got === 0) {
      running = undefined
      throw new Error('the resident ended in the middle of a call')
    }
    done += got
  }
  return bytes
}
