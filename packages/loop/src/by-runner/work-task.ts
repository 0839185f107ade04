// A task, from its prompt to its end, in the folder it was given in: no worktree, nothing that lands.

import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { runVerify } from '../programs/verify-command.ts'
import { turnEnvironment } from '../programs/worker-environment.ts'
import type { End, WorkInput, WorkStep } from '../state/work-schema.ts'
import type { Gate } from '../work/advance.ts'
import { fingerprintOf } from '../work/fingerprint.ts'
import { drive, type Turn } from './drive.ts'
import type { RunCore, Turns } from './run-state.ts'
import { endTurn, takeTurn } from './turn.ts'

/** A task on its way. */
export type Task = Turns & { readonly goal: string; readonly cwd: string; readonly verify: string | undefined }

/** What a task is called where an issue would have its id. */
export const taskName = 'task'

/** Works a task on from `from`, at most `callsMax` calls of the agent. */
export function workTask(run: RunCore, task: Task, from: WorkStep, callsMax: number): Promise<WorkStep> {
  const interruption = (): End | undefined =>
    run.stop.aborted ? { do: 'end', outcome: 'failed', reason: 'stopped' } : undefined
  return drive(run, task, {
    ...{ issue: taskName, from, callsMax, waits: callsMax === Number.POSITIVE_INFINITY, stop: run.stop, interruption },
    call: (turn, stop) => callForTask(run, task, turn, stop),
    perform: (gate, stop) => perform(run, task, gate, stop),
  })
}

async function perform(run: RunCore, task: Task, gate: Gate, stop: AbortSignal): Promise<WorkInput> {
  if (gate.do === 'verify') return verifyTask(run, task, stop)
  throw new Error(`bug: a task has no step ${gate.do}`)
}

async function callForTask(run: RunCore, task: Task, step: Turn, stop: AbortSignal): Promise<WorkInput | undefined> {
  const { goal, cwd, verify } = task
  const env = () => turnEnvironment(run, task, taskName)
  const asked = { name: taskName, wanted: goal, issue: undefined, folder: cwd, base: undefined, verify, env }
  const answer = await takeTurn(run, task, asked, step, stop)
  if (answer === undefined) return undefined
  const left = await fingerprintOf(openGit(openPlainChildren(run.env)), cwd)
  const changed = left === null || left !== task.work.still?.left
  return endTurn(run, task, asked, answer, { changed, left, isCut: stop.aborted })
}

async function verifyTask(run: RunCore, task: Task, stop: AbortSignal): Promise<WorkInput> {
  const { verify = 'true', cwd, worker, iteration } = task
  const where = { cwd, env: turnEnvironment(run, task, taskName), timeoutMs: run.timeoutMs, signal: stop }
  const { passed, aborted, exitCode, output } = await runVerify(run.runWork, verify, where)
  if (!aborted) {
    await run.journal.tell({ event: 'verified', issue: taskName, worker, iteration, passed, exit_code: exitCode })
  }
  return { of: 'verify', passed, changed: true, output }
}
