import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answeredPath } from './answered.ts'
import { runApart } from './apart.ts'
import { tempFolder } from './folder.ts'
import { heeding } from './heeding.ts'
import { askResident } from './resident.ts'
import { full } from './scaled.ts'
import { toolPath } from './tool-path.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))
/** The package that each tool's command is in. */
const packageOf = {
  jwz: 'jwz',
  tissue: 'tissue',
  deepscan: 'deepscan',
  loop: 'loop',
  scope: 'scope',
  'jwz-relay': 'relay',
} as const

export type ToolName = keyof typeof packageOf

export type RunOptions = {
  cwd: string
  env?: Record<string, string | undefined>
  input?: string | Uint8Array
  /** As a user whom file permissions stop, also where the tests run as root; see `itWith`. */
  unprivileged?: boolean
}

export type Finished = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

/** The built binary of a tool. */
export function bin(tool: ToolName): string {
  return join(packages, packageOf[tool], 'bin', `${tool}.cjs`)
}

let stateHome: string | undefined

/** Where the tools keep what they know of the user: a folder of the tests, not the one of whoever runs them. */
function stateFolder(): string {
  if (stateHome === undefined || !existsSync(stateHome)) stateHome = tempFolder('state')
  return stateHome
}

/**
 * The environment without what would leak into a tool under test: stores, names, sessions, git's own variables, and
 * what git is told on this machine, settings of the user, as is the name of who tests here. A test that gives a HOME
 * gives settings with it. A bash whose stdin is a socket, as Node's pipes are, reads ~/.bashrc unless SHLVL says that it is not the
 * first shell.
 */
export function cleanEnv(extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const leaking =
    /^(JWZ_|TISSUE_|SCOPE_|LOOP_|DEEPSCAN_|NATS_|GIT_|TMUX|CLAUDE|CODEX|GEMINI|OPENCODE|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|NO_COLOR|FORCE_COLOR|VITEST|TERM_SESSION_ID|XDG_CONFIG_HOME)/
  const kept = Object.entries(process.env).filter(([name]) => !leaking.test(name))
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_NOSYSTEM: '1',
    ...(extra['HOME'] === undefined
      ? { GIT_CONFIG_GLOBAL: '/dev/null', XDG_CONFIG_HOME: join(stateFolder(), 'config') }
      : {}),
    XDG_STATE_HOME: stateFolder(),
    DEEPSCAN_HOME: join(stateFolder(), 'deepscan'),
    // Linters are processes that say more with each release; tests of them ask for them.
    DEEPSCAN_LINTERS: 'none',
    PATH: toolPath(),
    SHLVL: '2',
    ...extra,
  }
}

/**
 * Whether a process that stays may answer for a verb: one that ends by itself. What a run of loop's leaves behind is
 * known by the process that it had, so it has one.
 */
const answeredByResident: Partial<Record<ToolName, (verb: string) => boolean>> = {
  jwz: (verb) => verb !== 'bridge',
  tissue: (verb) => verb !== 'board',
  deepscan: (verb) => !['exec', 'fix', 'map', 'run'].includes(verb),
  loop: (verb) => verb !== 'run',
  scope: (verb) => !['attach', 'dashboard', 'run', 'supervise', 'workflow'].includes(verb),
}
const started = new Set<string>()

/**
 * Runs a built tool to its end, as a shell would. The first call of a verb in each of the runner's workers is a process
 * of its own; later ones are answered by one that stays, except where the process matters (`answeredByResident`,
 * another user, a preload) and in `npm run test:long`. What `loop` calls is answered so too, where no PATH is given.
 */
export function run(tool: ToolName, args: readonly string[], given: RunOptions): Finished {
  const options = tool === 'loop' ? { ...given, env: { PATH: answeredPath(), ...given.env } } : given
  const { cwd, env, input, unprivileged } = options
  const kind = `${tool} ${args[0]}`
  const again = started.has(kind)
  started.add(kind)
  const whole = cleanEnv(env)
  const isPlain = !full && !unprivileged && whole['NODE_OPTIONS'] === undefined
  if (!again || !isPlain || !answeredByResident[tool]?.(args[0] ?? '')) return runAlone(tool, args, options)
  return { ...askResident({ bin: bin(tool), args, cwd, env: whole, input: input ?? '' }), signal: null }
}

/** Runs a built tool to its end in a process of its own, which may be killed. */
export function runAlone(
  tool: ToolName,
  args: readonly string[],
  { cwd, env, input, unprivileged }: RunOptions,
): Finished {
  const line = [process.execPath, bin(tool), ...args]
  const [program = '', ...rest] = unprivileged ? heeding(line) : line
  const result = spawnSync(program, rest, {
    cwd,
    env: cleanEnv(env),
    input: input ?? '',
    encoding: 'utf8',
    maxBuffer: 512 * 1024 * 1024,
  })
  if (result.error) throw result.error
  return { code: result.status, signal: result.signal, stdout: result.stdout, stderr: result.stderr }
}

/** Runs a built tool to its end as a person's: below no agent, also where one runs the tests. */
export function runAsPerson(tool: ToolName, args: readonly string[], { cwd, env, input }: RunOptions): Finished {
  const line = [process.execPath, bin(tool), ...args]
  return runApart(line, { cwd, env: cleanEnv(env), input: input ?? '', encoding: 'utf8' })
}

/** Trusts the loop.json around a folder, as its person does. */
export function trust(cwd: string, env: Record<string, string | undefined> = {}): void {
  const done = runAsPerson('loop', ['trust'], { cwd, env })
  if (done.code !== 0) throw new Error(`loop trust in ${cwd}: exit ${done.code}: ${done.stderr}`)
}

export type Started = {
  child: ChildProcess
  done: Promise<Finished>
  stdout(): string
  stderr(): string
  /** Resolves when stdout or stderr has matched; rejects when the process ends first or `ms` have passed. */
  waitFor(pattern: RegExp, ms?: number): Promise<void>
}

/** Starts a built tool and leaves it running. */
export function start(tool: ToolName, args: readonly string[], { cwd, env, input }: RunOptions): Started {
  const child = spawn(process.execPath, [bin(tool), ...args], { cwd, env: cleanEnv(env), stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  let ended = false
  let look: () => void = () => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    look()
  })
  // A process may end without reading what it is given.
  child.stdin.on('error', (error) => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error
  })
  if (input !== undefined) child.stdin.end(input)
  const done = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      ended = true
      look()
      resolve({ code, signal, stdout, stderr })
    })
  })
  const waitFor = (pattern: RegExp, ms = 500_000) =>
    new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        finish(new Error(`${tool}: no ${pattern} within ${ms} ms\n${stdout}${stderr}`))
      }, ms)
      const finish = (error?: Error) => {
        clearTimeout(late)
        look = () => undefined
        error ? reject(error) : resolve()
      }
      look = () => {
        if (pattern.test(stdout) || pattern.test(stderr)) finish()
        else if (ended) finish(new Error(`${tool} ended without ${pattern}\n${stdout}${stderr}`))
      }
      look()
    })
  return { child, done, stdout: () => stdout, stderr: () => stderr, waitFor }
}
