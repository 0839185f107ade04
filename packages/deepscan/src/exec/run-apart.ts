import { join } from 'node:path'
import { execute } from '@switchyard/exec'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { type Outcome, outcomeSchema } from './outcome.ts'

type Apart = {
  session: string | undefined
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
  signal: AbortSignal
}

/** Kilobytes of data that the process may have: the engine's part of it is bounded by WebAssembly. */
const processKilobytes = 1_000_000
/** A loaded machine takes its time to start a process; the code's own time begins then. */
const startMs = 20_000
const outputBytesMax = 16_000_000

/**
 * Runs code in a process of its own, below the system's limit on memory. The process and all it has started have ended
 * when this returns.
 */
export async function runApart(code: string, { session, cwd, env, timeoutMs, signal }: Apart): Promise<Outcome> {
  const tool = join(__dirname, '..', 'bin', 'deepscan.cjs')
  const scan = session === undefined ? [] : ['--session', session]
  const words = [process.execPath, tool, 'exec', '--inside', '--timeout', `${timeoutMs}ms`, ...scan, '-']
  const limited = ['sh', '-c', 'ulimit -d "$1" && shift && exec "$@"', 'sh', String(processKilobytes), ...words]
  const options = { cwd, env, input: code, timeoutMs: timeoutMs + startMs, outputBytesMax, signal, graceMs: 100 }
  const ran = await execute(limited, options)
  if (ran.aborted) throw new Failure('interrupted', 'the code was interrupted')
  const told = outcomeSchema.safeParse(parseJson(ran.stdout))
  if (told.success) return told.data
  const nothing = { v: 1, type: 'outcome', printed: '', value: null } as const
  if (ran.timedOut) return { ...nothing, kind: 'late', message: 'the process was killed' }
  if (/heap out of memory|Cannot allocate|bad_alloc|allocation failed/i.test(ran.stderr) || ran.signal !== null) {
    return { ...nothing, kind: 'memory', message: ran.signal ?? 'the process ran out of memory' }
  }
  if (/Maximum call stack/.test(ran.stderr))
    return { ...nothing, kind: 'thrown', message: 'RangeError: nested too deeply' }
  throw new Failure('outside', `the isolate ended with exit ${ran.exitCode}: ${ran.stderr.trim().slice(0, 200)}`)
}
