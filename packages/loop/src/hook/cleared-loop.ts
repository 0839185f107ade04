import type { Answer } from '@switchyard/wire/host-event'
import { readBinding } from '../record/binding.ts'
import { readOpenRun } from '../record/own-run.ts'
import { isOpen, standings } from '../record/standing.ts'
import type { RunStatus } from '../state/status-schema.ts'
import type { LoopHook } from './answer-hook.ts'

/** A session that is older than this was cleared for another reason than to make room for the one that begins. */
const agoMsMax = 60_000

/** A session that takes the place of a cleared one is told that its loop waits, and so is the person. */
export function clearedLoop({ store, session, env, now }: Pick<LoopHook, 'store' | 'session' | 'env' | 'now'>): Answer {
  const since = now() - agoMsMax
  const left = standings(store, now()).filter((status) => isOpen(status) && status.session?.host === session.host)
  const cleared = left.find((status) => (clearedAt(status) ?? 0) >= since && isOwn(status))
  if (cleared === undefined) return { do: 'allow' }
  const { run, iteration, max } = cleared
  const waits = `The session that was cleared had a loop, which waits: run ${run}, iteration ${iteration} of ${max}.`
  const text = `${waits} To take it on in this session: loop resume --run ${run}. To end it: loop cancel --run ${run}. Tell the person; do neither unasked.`
  const warning = `loop: run ${run} of the cleared session waits; loop resume --run ${run} --session ${session.host}:${session.id} goes on with it here, loop cancel --run ${run} ends it`
  return { do: 'context', text, warning }

  function isOwn({ run: id }: RunStatus): boolean {
    return readOpenRun(store, id, env) !== undefined
  }

  function clearedAt({ session: owner }: RunStatus): number | undefined {
    return owner === null ? undefined : readBinding(store, owner).clearedAt
  }
}
