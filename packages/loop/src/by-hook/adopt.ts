// A session takes on a run that was started outside it, or that another session left.

import type { Env } from '@switchyard/ground/state-folder'
import type { Store } from '@switchyard/topic'
import { bindRun } from '../record/binding.ts'
import { openRecord } from '../record/session-record.ts'
import type { Session } from '../state/event-schema.ts'

const attemptsMax = 20

/**
 * Gives the run to the session, if it is nobody's, or when `from` is who has it. False when it is over, unknown, or
 * another's.
 */
export async function adoptRun(
  store: Store,
  session: Session,
  { run: id, from, staleAfterMs }: { run: string; from: Session | null; staleAfterMs: number },
  { env, now }: { env: Env; now: () => number },
): Promise<boolean> {
  const record = openRecord(store, session, id, { env, now })
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const run = record.read()
    const owner = run?.status?.session ?? null
    if (run === undefined || run.isOver || run.status?.owner !== null) return false
    if (owner?.host !== from?.host || owner?.id !== from?.id) return false
    if (!(await record.tellIf(run.head, { event: 'adopted', session }))) continue
    await bindRun(store, session, { run: id, stale_after: staleAfterMs }, now())
    return true
  }
  return false
}
