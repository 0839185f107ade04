// A task for a session of an agent: recorded, then bound to the session, in this order, so that a hook never finds a
// binding without its run.

import type { Env } from '@switchyard/ground/state-folder'
import { createBus, postMessage, type Store } from '@switchyard/topic'
import { bindRun } from '../record/binding.ts'
import { markedStart } from '../record/made-here.ts'
import { openRecord } from '../record/session-record.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { Session } from '../state/event-schema.ts'
import { beginWork } from '../state/reduce.ts'
import type { Limits } from '../state/work-schema.ts'
import { head } from '../text/cut-text.ts'
import { goalTopic } from '../work/continuation.ts'

export type TaskOptions = {
  readonly run: string
  readonly goal: string
  readonly verify: string
  readonly limits: Limits
  readonly cwd: string
  readonly staleAfterMs: number
}

const goalBytesInEvent = 4096

/** Records a task and binds it to `session`; without one it waits for whoever says its claim. */
export async function beginTask(
  store: Store,
  session: Session | undefined,
  { run, goal, verify, limits, cwd, staleAfterMs }: TaskOptions,
  { now, env }: { now: () => number; env: Env },
): Promise<void> {
  createBus(store)
  const who = session ?? { host: 'claude', id: 'nobody' }
  const worker = session === undefined ? 'nobody' : workerOfSession(session)
  const record = openRecord(store, who, run, { env, now })
  if (Buffer.byteLength(goal) > goalBytesInEvent) {
    await postMessage(store, { topic: goalTopic(run), from: worker, body: goal }, now())
  }
  const started = {
    event: 'started',
    run,
    ...(session === undefined ? {} : { session }),
    mode: 'task',
    goal: head(goal, goalBytesInEvent),
    cwd,
    base: '',
    with: '',
    verify,
    jobs: 1,
    max_iterations: limits.iterations,
  } as const
  await record.tell(markedStart(store, started, env))
  const rules = { verifies: verify !== '', reviews: false, lands: false }
  await record.tell({ event: 'began', issue: 'task', worker, rules, limits })
  const { iteration } = beginWork(rules, limits)
  await record.tell({ event: 'iteration', issue: 'task', worker, iteration, max: limits.iterations })
  if (session !== undefined) await bindRun(store, session, { run, stale_after: staleAfterMs }, now())
}
