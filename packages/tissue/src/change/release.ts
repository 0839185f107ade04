// Giving an issue back, or on to another.

import { nameMeant } from '@switchyard/topic'
import { getState } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { assigneeOf } from './claim.ts'
import type { Actor } from './fence.ts'
import { checkFence, heldFailure } from './fence.ts'

/** Under which claim, what the next one should know, and who that is. */
export type Farewell = {
  readonly fence?: string | undefined
  readonly note?: string | undefined
  readonly to?: string | undefined
  /** Also when another holds it. */
  readonly force?: boolean | undefined
}

/**
 * The release of an issue; of one that nobody holds only the assignment is left to change. Exits 5 when another holds
 * it, or when the fence is not the current claim.
 */
export function decideRelease(ledger: Ledger, id: string, actor: Actor, farewell: Farewell = {}): Draft[] {
  const { fence, note, to: heir, force = false } = farewell
  const to = heir === undefined ? undefined : nameMeant(heir, () => actor.by)
  const held = getState(ledger, id).state.claim
  checkFence(id, held, fence)
  if (!held)
    return to === undefined || to === assigneeOf(ledger, id) ? [] : [{ type: 'edited', issue: id, assignee: to }]
  if (fence === undefined && held.by !== actor.by && !force) throw heldFailure(id, held, 'or override it with --force')
  const said = { ...(note === undefined ? {} : { note }), ...(to === undefined ? {} : { to }) }
  return [{ type: 'released', issue: id, expect: held.head, ...said }]
}
