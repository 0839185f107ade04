import { rmSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { cannotStart, ensureCanStart } from './can-start.ts'
import { captureEnd, captureHeadAndTail } from './capture.ts'
import { endTree } from './end-tree.ts'
import { withPidFile } from './pid-file.ts'
import { type Environment, hasGroup } from './process-table.ts'

export type ExecuteOptions = {
  cwd: string
  /** The whole environment of the child, but for `PWD`, which is `cwd`; nothing is inherited. */
  env: Readonly<Record<string, string | undefined>>
  /** What the child reads on stdin; without it stdin is empty. A child that does not read it is no error. */
  input?: string | Uint8Array
  timeoutMs: number
  /** Bound on each of `stdout`, `stderr` and `output`. */
  outputBytesMax: number
  /** Ends the tree when aborted. */
  signal?: AbortSignal
  onOutput?: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
  /**
   * Where the child notes its pid before it starts, so that it can be found when this process is killed. Removed when
   * the child has ended.
   */
  pidFile?: string
  /** Between SIGTERM and SIGKILL. */
  graceMs?: number
  /** Which of the processes below it are not its own, by their environment: they go on when the tree is ended. */
  isSpared?: (environment: Environment) => boolean
}

/** How a command ended. `exitCode` is null when a signal ended it. */
export type Execution = {
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  aborted: boolean
  /** First and last part of the stream, at most `outputBytesMax` bytes and one line that says what is missing. */
  stdout: string
  stderr: string
  /** The end of both streams in the order they came. */
  output: string
  truncated: boolean
  durationMs: number
  /** How long it had printed nothing when it ended. */
  silentMs: number
}

const defaultGraceMs = 2000

/**
 * Runs a program, or a line of shell, in a process group of its own and waits until all of that group has ended:
 * what the command leaves running in its group is ended with it. On timeout or abort the tree is ended, SIGTERM
 * first. A non-zero exit is a result, not an error. Failure `outside` when the program or the folder does not exist
 * or cannot be started.
 */
export async function execute(
  command: readonly string[] | { shell: string },
  options: ExecuteOptions,
): Promise<Execution> {
  const started = performance.now()
  const argv = 'shell' in command ? ['sh', '-c', command.shell] : command
  ensureCanStart(argv[0], options)
  const [file, ...args] = options.pidFile === undefined ? argv : withPidFile(options.pidFile, argv)
  const graceMs = options.graceMs ?? defaultGraceMs
  if (file === undefined) throw new Error('bug: an empty command')
  const { startProgram } = await import('./execa.ts')
  if (options.signal?.aborted) return notStarted

  const child = startProgram(file, args, options)
  const { captured, bytesHeard, heardAt } = captureStreams(child, options)
  const { pid } = child
  if (pid === undefined) throw cannotStart(argv, (await child).shortMessage)

  const exited = new Promise<[number | null, string | null]>((done) => {
    child.once('exit', (code, signal) => done([code, signal]))
  })
  const ended = await untilExit(exited, pid, options, graceMs)
  const silentMs = Math.round(performance.now() - (heardAt() ?? started))
  if (hasGroup(pid)) await endTree(pid, graceMs, options.isSpared)
  await closeStreams(child, bytesHeard)
  if (options.pidFile !== undefined) rmSync(options.pidFile, { force: true })
  return { ...ended, ...captured(), durationMs: Math.round(performance.now() - started), silentMs }
}

type Streams = { readonly stdout: Readable | null; readonly stderr: Readable | null }

const notStarted: Execution = {
  exitCode: null,
  signal: 'SIGTERM',
  timedOut: false,
  aborted: true,
  stdout: '',
  stderr: '',
  output: '',
  truncated: false,
  durationMs: 0,
  silentMs: 0,
}

function captureStreams(child: Streams, { outputBytesMax, onOutput }: ExecuteOptions) {
  const stdout = captureHeadAndTail(outputBytesMax)
  const stderr = captureHeadAndTail(outputBytesMax)
  const output = captureEnd(outputBytesMax)
  let bytes = 0
  let at: number | undefined
  for (const [name, capture] of [['stdout', stdout] as const, ['stderr', stderr] as const]) {
    child[name]?.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length
      at = performance.now()
      capture.add(chunk)
      output.add(chunk)
      onOutput?.(chunk, name)
    })
  }
  const captured = () => ({
    stdout: stdout.text(),
    stderr: stderr.text(),
    output: output.text(),
    truncated: stdout.truncated || stderr.truncated,
  })
  return { captured, bytesHeard: () => bytes, heardAt: () => at }
}

async function untilExit(
  exited: Promise<[number | null, string | null]>,
  pid: number,
  { timeoutMs, signal, isSpared }: ExecuteOptions,
  graceMs: number,
): Promise<Pick<Execution, 'exitCode' | 'signal' | 'timedOut' | 'aborted'>> {
  let timedOut = false
  let aborted = false
  const timer = setTimeout(() => {
    timedOut = true
    void endTree(pid, graceMs, isSpared)
  }, timeoutMs)
  const onAbort = () => {
    aborted = true
    void endTree(pid, graceMs, isSpared)
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  const [exitCode, endSignal] = await exited
  clearTimeout(timer)
  signal?.removeEventListener('abort', onAbort)
  return { exitCode, signal: endSignal, timedOut, aborted }
}

/**
 * The group is gone; a process that left it may still hold the pipes open, and is not waited for. What the command
 * wrote is in the pipes by now, but not always read: an end can be heard before the last words, and this process may
 * then stand still for longer than any wait. So the pipes are closed by turns of the event loop, each of which reads
 * them, and only after one that has brought nothing.
 */
async function closeStreams(child: Streams & PromiseLike<unknown>, bytesHeard: () => number): Promise<void> {
  const drainMs = 200
  const turnsMax = 64
  const close = async () => {
    for (let turns = 0, before = -1; turns < turnsMax && bytesHeard() !== before; turns++) {
      before = bytesHeard()
      await setImmediate()
    }
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  const timer = setTimeout(close, drainMs)
  await child
  clearTimeout(timer)
}
