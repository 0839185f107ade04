// Ending an issue, taking it up again, or moving it to another status.
import { Failure } from '@switchyard/ground/failure'
import { getState, groupDeps, isIssueOver, isOver } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { endReasons, isSettled } from '../log/settled.ts'
import { draftsOfLinks } from '../ready/deps.ts'
import { readyIds } from '../ready/ready.ts'
import type { Dep, Status } from '../schema/event-schema.ts'
import { decideClaim } from './claim.ts'
import type { Actor } from './fence.ts'
import { type Authority, fenceOf } from './fence.ts'

type Reason = { readonly reason?: string | undefined }

/** How issues end: `duplicateOf` and `supersededBy` are ids of the issues that stay. */
export type Ending = Authority &
  Reason & { readonly duplicateOf?: string | undefined; readonly supersededBy?: string | undefined }

/**
 * What ends these issues, with the links that say why; those that are over already need nothing but the links. Exits 5
 * when one waits for an issue that stays open, has open children, or another agent holds it, unless forced; then
 * nothing is closed.
 */
export function decideClose(ledger: Ledger, ids: readonly string[], actor: Actor, ending: Ending): Draft[] {
  const { duplicateOf, supersededBy } = ending
  const status = duplicateOf === undefined ? 'closed' : 'duplicate'
  const closing = new Set(ids)
  const drafts: Draft[] = []
  for (const id of closing) {
    const { status: now } = getState(ledger, id).status
    const isSame = (duplicateOf === undefined ? isOver(now) : now === status) && isAgreed(ledger, id)
    const isDone = isSame && (ending.reason === undefined || !hasLostReason(ledger, id))
    if (!isDone) drafts.push(decideEnd(ledger, id, status, actor, ending, closing))
  }
  const links = [...closing].flatMap((id): Dep[] => [
    ...(duplicateOf === undefined ? [] : [{ kind: 'duplicates', from: id, to: duplicateOf } as const]),
    ...(supersededBy === undefined ? [] : [{ kind: 'supersedes', from: supersededBy, to: id } as const]),
  ])
  return [...drafts, ...draftsOfLinks(ledger, links)]
}

/** The claim of the issue that is next once these drafts are in the log; none when nothing is ready then. */
export function decideNextAfter(
  ledger: Ledger,
  drafts: readonly Draft[],
  actor: Actor,
  isMeant: (id: string) => boolean,
): Draft[] {
  const after = withEnded(ledger, drafts, actor.at)
  const [next] = readyIds(after, actor.at, isMeant)
  return next === undefined ? [] : [decideClaim(after, getState(after, next), actor)]
}

/** What opens the closed ones among these issues again, and brings back the deleted; none is a duplicate any more. */
export function decideReopen(ledger: Ledger, ids: readonly string[], { reason }: Reason): Draft[] {
  const closed = [...new Set(ids)].filter((id) => isIssueOver(ledger, id) || !isAgreed(ledger, id))
  return closed.flatMap((issue) => [
    { type: 'status', issue, status: 'open', ...(reason === undefined ? {} : { reason }) },
    ...endOfSameness(ledger, issue),
  ])
}

/** What takes back that an issue which ended as a duplicate duplicates others. */
function endOfSameness(ledger: Ledger, id: string): Draft[] {
  if (ledger.issues.get(id)?.fields.status?.value.status !== 'duplicate') return []
  return [...ledger.deps.values()].flatMap(({ value: { dep, present } }): Draft[] => {
    const isSameness = present && dep.kind === 'duplicates' && dep.from === id
    return isSameness ? [{ type: 'unlinked', issue: id, kind: dep.kind, target: dep.to }] : []
  })
}

/** What moves an issue to `status`; nothing when it is there already. Ending it follows the rules of `close`. */
export function decideStatus(
  ledger: Ledger,
  id: string,
  status: Status,
  actor: Actor,
  { reason, ...authority }: Authority & Reason,
): Draft[] {
  const isSame = getState(ledger, id).status.status === status && isAgreed(ledger, id)
  if (isOver(status))
    return isSame ? [] : [decideEnd(ledger, id, status, actor, { reason, ...authority }, new Set([id]))]
  const fence = fenceOf(ledger, id, actor, authority)
  if (isSame) return []
  return [
    { type: 'status', issue: id, status, ...(reason === undefined ? {} : { reason }), ...fence },
    ...endOfSameness(ledger, id),
  ]
}

/** Whether clones agree on the status: where two said different things, somebody has to say it again. */
function isAgreed(ledger: Ledger, id: string): boolean {
  return isSettled(getState(ledger, id).state.fields.status)
}

/** Closed by two clones for reasons of their own, of which whoever gives one settles it. */
function hasLostReason(ledger: Ledger, id: string): boolean {
  const { status } = getState(ledger, id).state.fields
  return status !== undefined && endReasons(status) !== undefined
}

function decideEnd(
  ledger: Ledger,
  id: string,
  status: Status,
  actor: Actor,
  { reason, ...authority }: Authority & Reason,
  closing: ReadonlySet<string>,
): Draft {
  if (!authority.force) refuseUnfinished(ledger, id, closing)
  const rest = { issue: id, ...(reason === undefined ? {} : { reason }), ...fenceOf(ledger, id, actor, authority) }
  return status === 'closed' ? { type: 'closed', ...rest } : { type: 'status', status, ...rest }
}

function refuseUnfinished(ledger: Ledger, id: string, closing: ReadonlySet<string>): void {
  const deps = groupDeps(ledger).get(id) ?? []
  const isOpen = (other: string) => !closing.has(other) && !isIssueOver(ledger, other)
  const blockers = deps.filter(({ kind, from, to }) => kind === 'blocks' && to === id && isOpen(from))
  if (blockers.length > 0) throw unfinished(`${id} to wait for nothing`, `it is blocked by ${names(blockers, 'from')}`)
  const children = deps.filter(({ kind, from, to }) => kind === 'parent' && from === id && isOpen(to))
  if (children.length > 0) throw unfinished(`${id} to have no open children`, `it has ${names(children, 'to')}`)
}

function names(deps: readonly Dep[], end: 'from' | 'to'): string {
  return deps
    .map((dep) => dep[end])
    .sort()
    .join(', ')
}

function unfinished(expected: string, came: string): Failure {
  return new Failure('conflict', `expected ${expected}, ${came}`, {
    hint: 'close those first, or override with --force',
    retryable: false,
  })
}

/** The ledger as it will be when the issues that these drafts end are over. */
function withEnded(ledger: Ledger, drafts: readonly Draft[], at: number): Ledger {
  const issues = new Map(ledger.issues)
  for (const draft of drafts) {
    if (draft.type !== 'closed' && draft.type !== 'status') continue
    const { state } = getState(ledger, draft.issue)
    const { status } = state.fields
    if (!status) continue
    const ended = { ...status, value: { status: draft.type === 'closed' ? 'closed' : draft.status, at } } as const
    issues.set(draft.issue, { ...state, claim: null, fields: { ...state.fields, status: ended } })
  }
  return { ...ledger, issues }
}
