// A task, from its prompt to its end, in the folder it was given in: no worktree, nothing that lands.

import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { runVerify } from '../programs/verify-command.ts'
import { turnEnvironment } from '../programs/worker-environment.ts'
import type { IssueResult } from '../state/event-schema.ts'
import type { End, WorkInput, WorkStep } from '../state/work-schema.ts'
import { fingerprintOf } from '../work/fingerprint.ts'
import { taskName, taskPlace } from '../work/task-place.ts'
import { drive, type Turn } from './drive.ts'
import type { RunCore, Turns } from './run-state.ts'
import { endTurn, takeTurn } from './turn.ts'

/** A task on its way. */
export type Task = Turns & { readonly goal: string; readonly cwd: string; readonly verify: string | undefined }

/** Works a task on from `from`, at most `callsMax` calls of the agent: to its end, or to the step that is next. */
export async function workTask(
  run: RunCore,
  task: Task,
  from: WorkStep,
  callsMax: number,
): Promise<IssueResult | Exclude<WorkStep, { do: 'end' }>> {
  const { journal, stop } = run
  const { worker } = task
  const verify = (until: AbortSignal) => verifyTask(run, task, until)
  const place = taskPlace({ journal, worker, iterations: () => task.iteration, verify })
  const interruption = (): End | undefined =>
    stop.aborted ? { do: 'end', outcome: 'failed', reason: 'stopped' } : undefined
  const step = await drive(run, task, {
    ...{ issue: taskName, place, from, callsMax, waits: callsMax === Number.POSITIVE_INFINITY, stop, interruption },
    call: (turn, until) => callForTask(run, task, turn, until),
  })
  return step.do === 'end' ? place.finish(step) : step
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
