// The gates of a check: commands in the folder of the session, one after the other, all of them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { type Execution, endByEnvironment, execute } from '@switchyard/exec'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import type { EventDraft } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { sessionEnvironment } from '../start/supervisor.ts'

const outputBytesMax = 1_000_000
const graceMs = 2000
const argumentBytesMax = 100_000
/** An event names its command; all of it stands in the rubric. */
const commandCharsMax = 1000

export type GateRun = Extract<EventDraft, { event: 'gate' }> & { readonly output: string }

export type GateWorld = {
  readonly store: Store
  /** The session whose gates these are. */
  readonly id: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

type Asked = {
  readonly iteration: number
  /** What their logs are named for. */
  readonly label: string
  readonly onGate: (gate: GateRun) => Promise<unknown>
}

/**
 * Runs them and keeps what they print, its secrets taken out, as `gates/<label>-<number>.log`. Whatever a gate
 * leaves running is ended before the next.
 */
export async function runGates(
  world: GateWorld,
  { iteration, label, onGate }: Asked,
  gates: readonly string[],
): Promise<GateRun[]> {
  const runs: GateRun[] = []
  const folder = join(sessionFolder(world.store, world.id), 'gates')
  mkdirSync(folder, { recursive: true })
  for (const [at, command] of gates.entries()) {
    const path = join(folder, `${label}-${at + 1}`)
    const execution = await runGate(world, command, path)
    // A gate that was ended with its loop says nothing of the work.
    world.signal.throwIfAborted()
    const run = gateRunOf(execution, { iteration, number: at + 1, command, env: world.env })
    writeWhole(`${path}.log`, `${path}.log.draft`, run.output)
    runs.push(run)
    await onGate(run)
  }
  return runs
}

/** A command, or where a system takes no argument of that length, a file with it; `path` is a name for it. */
async function runGate(world: GateWorld, command: string, path: string): Promise<Execution> {
  const { store, id, cwd, timeoutMs, signal } = world
  const mark = `${path}-${process.pid}`
  const env = { ...sessionEnvironment(store, id, world.env), SCOPE_GATE: mark }
  const isLong = Buffer.byteLength(command) > argumentBytesMax
  if (isLong) writeWhole(`${path}.sh`, `${path}.sh.draft`, command)
  const line = isLong ? ['sh', `${path}.sh`] : { shell: command }
  try {
    return await execute(line, { cwd, env, timeoutMs, outputBytesMax, signal })
  } finally {
    await endByEnvironment((environment) => environment.get('SCOPE_GATE') === mark, graceMs)
  }
}

type About = Pick<GateRun, 'iteration' | 'number' | 'command'> & Pick<GateWorld, 'env'>

function gateRunOf(execution: Execution, { iteration, number, command, env }: About): GateRun {
  const { exitCode, signal, timedOut, aborted, durationMs, output } = execution
  return {
    ...{ event: 'gate', by: 'loop', iteration, number },
    command: command.length > commandCharsMax ? `${command.slice(0, commandCharsMax - 1)}…` : command,
    passed: exitCode === 0 && !timedOut && !aborted,
    ...{ exit_code: exitCode, signal, timed_out: timedOut, duration_ms: durationMs },
    output: redactorOf(env)(output),
  }
}
