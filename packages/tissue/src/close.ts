// Ending an issue, or moving it to another status.
import { Failure } from '@switchyard/cli-kit/failure'
import { type Actor, type Authority, fenceOf } from './claim.ts'
import type { Draft } from './draft.ts'
import type { Status } from './event-schema.ts'
import type { Ledger } from './fold.ts'
import { groupDeps, isIssueOver, readState } from './issue.ts'

/**
 * What closes these issues; those already closed need nothing. Exits 5 when one waits for an issue that stays open or
 * another agent holds it, unless forced; then nothing is closed.
 */
export function decideClose(
  ledger: Ledger,
  ids: readonly string[],
  actor: Actor,
  { reason, ...authority }: Authority & { reason?: string | undefined },
): Draft[] {
  const closing = new Set(ids)
  const drafts: Draft[] = []
  for (const id of closing) {
    if (readState(ledger, id)?.status.status === 'closed') continue
    if (!authority.force) refuseBlocked(ledger, id, closing)
    const fence = fenceOf(ledger, id, actor, authority)
    drafts.push({ type: 'closed', issue: id, ...(reason === undefined ? {} : { reason }), ...fence })
  }
  return drafts
}

/** What moves an issue to `status`; nothing when it is there already. Closing follows the rules of `close`. */
export function decideStatus(ledger: Ledger, id: string, status: Status, actor: Actor, authority: Authority): Draft[] {
  if (status === 'closed') return decideClose(ledger, [id], actor, authority)
  const fence = fenceOf(ledger, id, actor, authority)
  if (readState(ledger, id)?.status.status === status) return []
  return [{ type: 'status', issue: id, status, ...fence }]
}

function refuseBlocked(ledger: Ledger, id: string, closing: ReadonlySet<string>): void {
  const deps = groupDeps(ledger).get(id) ?? []
  const open = deps.filter(
    ({ kind, from, to }) => kind === 'blocks' && to === id && !closing.has(from) && !isIssueOver(ledger, from),
  )
  if (open.length === 0) return
  const names = open
    .map(({ from }) => from)
    .sort()
    .join(', ')
  throw new Failure('conflict', `expected ${id} to wait for nothing, it is blocked by ${names}`, {
    hint: 'close those first, or override with --force',
  })
}
