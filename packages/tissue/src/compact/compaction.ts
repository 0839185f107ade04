// Which lines of a log anything still depends on.

import { isDeleted } from '../issue/issue.ts'
import { applyRecord, emptyLedger, isVoid, type Ledger, settle } from '../log/fold.ts'
import { type IssueState, registerOf } from '../log/issue-state.ts'
import { fieldsOf } from '../log/overwritten.ts'
import { headsOf } from '../log/register.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import { type SourceLine, type Traced, type TracedLog, traceLog } from './traced-log.ts'

/** A deleted issue can come back whole for so long after its deletion. */
const deletedKeptMs = 30 * 86_400_000

/** What a compaction keeps, verbatim and in order, and the events of the lines that it drops. */
export type Plan = {
  readonly kept: readonly string[]
  readonly dropped: number
  readonly gone: readonly string[]
  /** Events that are kept and were valid, of those that name a claim. */
  readonly judged: readonly string[]
}

/** What can be dropped from a log at `now` (milliseconds since 1970) so that it still means the same. */
export function planCompaction(lines: readonly SourceLine[], now: number): Plan {
  const log = traceLog(lines)
  const forgotten = forgottenIn(log, now)
  const kept = new Set<number>()
  keepStrangers(log, kept)
  keepNeeded(log, forgotten, kept)
  keepSuccessors(log, kept)
  // What the rules above do not foresee costs space, never meaning.
  for (const issue of differing(lines, log, forgotten, kept)) keepIssue(log, issue, kept)
  const different = differing(lines, log, forgotten, kept)
  if (different.length > 0) throw new Error(`bug: compacted, ${different.join(', ')} would mean something else`)
  return {
    kept: lines.flatMap(({ text }, at) => (kept.has(at) ? text : [])),
    dropped: lines.length - kept.size,
    gone: goneIn(lines, log, forgotten, kept),
    judged: judgedIn(log, kept),
  }
}

/** Issues that were deleted long ago: of these only what keeps them deleted stays. */
function forgottenIn({ ledger, events }: TracedLog, now: number): Set<string> {
  const recent = new Set<string>()
  for (const { event } of events)
    if (event.type === 'deleted' && event.at > now - deletedKeptMs) recent.add(event.issue)
  return new Set([...ledger.issues.keys()].filter((id) => isDeleted(ledger, id) && !recent.has(id)))
}

/** What this version does not understand, and what an earlier compaction left to know. */
function keepStrangers({ verdicts, events }: TracedLog, kept: Set<number>): void {
  verdicts.forEach((verdict, at) => {
    if (verdict === 'unknown' || verdict === 'foreign') kept.add(at)
  })
  for (const { event, at } of events) if (event.type === 'compacted' || event.type === 'withdrawn') kept.add(at)
}

function keepNeeded(log: TracedLog, forgotten: ReadonlySet<string>, kept: Set<number>): void {
  const { ledger } = log
  const needed = new Set(globalIds(ledger))
  for (const state of ledger.issues.values()) for (const id of idsOf(state)) needed.add(id)
  for (const { event, at } of log.events) {
    const isWanted = needed.has(event.id) && !isForgotten(event, forgotten)
    if (isWanted || provesDeletion(ledger, event)) kept.add(at)
  }
}

function globalIds({ prefix, settings, deps, keys }: Ledger): string[] {
  const stamps = [...(prefix ? [prefix] : []), ...settings.values(), ...deps.values(), ...[...keys.values()].flat()]
  return stamps.map(({ id }) => id)
}

function idsOf(state: IssueState): string[] {
  const { created, rev, fields, meta, tags, refs, comments } = state
  const registers = [...Object.values(fields), ...meta.values()]
  const stamps: { id: string }[] = [...tags.values(), ...refs.values(), ...comments.values(), ...claimFactsOf(state)]
  if (created) stamps.push(created)
  return [...registers.flatMap((one) => headsOf<unknown>(one)), ...stamps.map(({ id }) => id), rev?.id ?? '']
}

/** What the claims that nothing has ended consist of; of the holder's renewals the last, of others' all. */
function claimFactsOf({ facts, claim, contested, openClaims }: IssueState): { id: string }[] {
  const open = new Set([...openClaims, ...contested.map(({ id }) => id)])
  return facts.filter((fact) => {
    if (fact.kind === 'status') return false
    if (fact.kind === 'claim') return open.has(fact.id)
    if (!open.has(fact.of)) return false
    if (fact.kind === 'confirm' || fact.of !== claim?.id) return true
    return fact.id === claim.head || fact.until === claim.until || (fact.kind === 'renew' && fact.leases !== undefined)
  })
}

function isForgotten(event: SingleEvent, forgotten: ReadonlySet<string>): boolean {
  return 'issue' in event && forgotten.has(event.issue)
}

/**
 * The tombstones of the writes of a status that nothing has overwritten, and those writes where the issue is deleted:
 * not only of the one that wins, as an older one may once another clone's log has overwritten that.
 */
function provesDeletion(ledger: Ledger, event: SingleEvent): boolean {
  if (!('issue' in event)) return false
  const heads = headsOf(ledger.issues.get(event.issue)?.fields.status)
  if (event.type === 'deleted') return heads.includes(event.expect)
  return isDeleted(ledger, event.issue) && heads.includes(event.id)
}

/**
 * A line that is kept for one thing may also hold a write that was overwritten. Of those who overwrote it one stays, or
 * it would look as if nobody had.
 */
function keepSuccessors({ ledger, events }: TracedLog, kept: Set<number>): void {
  const writes = events.filter(({ event }) => event.type !== 'created')
  const successors = new Map<string, number[]>()
  for (const { event, at } of writes) {
    for (const [field, replaced] of Object.entries('replaces' in event ? (event.replaces ?? {}) : {}))
      for (const id of replaced) successors.set(`${id} ${field}`, [...(successors.get(`${id} ${field}`) ?? []), at])
  }
  // Newest first: who overwrote a line stands behind it, so a line that is added here has had its own turn only then.
  for (const { event, at } of inTurn(writes, kept)) {
    if (!kept.has(at) || !('issue' in event)) continue
    const state = ledger.issues.get(event.issue)
    for (const field of fieldsOf(event)) {
      const after = successors.get(`${event.id} ${field}`) ?? []
      if (isHead(state, field, event.id) || after.some((line) => kept.has(line))) continue
      const last = after.at(-1)
      if (last !== undefined) kept.add(last)
    }
  }
}

/** Passes over the writes until a pass has kept no more lines. */
function* inTurn(writes: readonly Traced[], kept: ReadonlySet<number>): Generator<Traced> {
  for (let before = -1; before !== kept.size; ) {
    before = kept.size
    yield* writes
  }
}

function isHead(state: IssueState | undefined, field: string, id: string): boolean {
  return state !== undefined && headsOf(registerOf(state, field)).includes(id)
}

/** The issues that would not be the same after folding only what is kept. */
function differing(
  lines: readonly SourceLine[],
  log: TracedLog,
  forgotten: ReadonlySet<string>,
  kept: ReadonlySet<number>,
): string[] {
  const { ledger } = log
  const after = emptyLedger({ ...ledger, chosen: new Map() })
  for (const id of judgedIn(log, kept)) after.judged.add(id)
  lines.forEach(({ record }, at) => {
    if (record && kept.has(at)) applyRecord(after, record)
  })
  settle(after)
  return [...ledger.issues.keys()].filter((id) => {
    if (forgotten.has(id)) return !isDeleted(after, id)
    return textOf(ledger.issues.get(id)) !== textOf(after.issues.get(id))
  })
}

/** All that can be seen of an issue, now or after further events. */
function textOf(state: IssueState | undefined): string {
  if (!state) return ''
  const { created, fields, rev, updatedAt, claim, contested, deletedOn, tags, refs, meta, comments } = state
  const open = [...state.openClaims].sort()
  const registers = [...Object.entries(fields), ...[...meta].sort(byName)].map(([name, register]) => {
    return [name, register?.value, headsOf<unknown>(register).sort()]
  })
  const sets = [tags, refs, comments].map((set) =>
    [...set].sort(byName).map(([name, { id, value }]) => [name, id, value]),
  )
  const deletedHeads = headsOf(fields.status).filter((id) => deletedOn.includes(id))
  return JSON.stringify([created, rev?.id, updatedAt, registers, sets, claim, contested, open, deletedHeads.sort()])
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

function keepIssue({ events }: TracedLog, issue: string, kept: Set<number>): void {
  for (const { event, at } of events) if ('issue' in event && event.issue === issue) kept.add(at)
}

/** What counts under a claim: in the way of a former version it does only while what it names is there. */
function judgedIn({ ledger, events }: TracedLog, kept: ReadonlySet<number>): string[] {
  return events.flatMap(({ event, at }) => (kept.has(at) && countsUnderClaim(ledger, event) ? event.id : []))
}

function countsUnderClaim({ issues }: Ledger, event: SingleEvent): boolean {
  const state = 'issue' in event ? issues.get(event.issue) : undefined
  if (event.type === 'claimed') return state?.openClaims.includes(event.renews ?? event.id) === true
  const isConditional = event.type === 'released' || ('fence' in event && event.fence !== undefined)
  return isConditional && isHead(state, 'status', event.id)
}

/** Whether an event of a deleted issue could win over the write of its status that the deletion names. */
function bringsBack(ledger: Ledger, event: SingleEvent): boolean {
  return event.type === 'closed' || event.type === 'status' || isVoid(ledger, event)
}

/** The ids that must do nothing when they come back. */
function goneIn(
  lines: readonly SourceLine[],
  { ledger, events, verdicts }: TracedLog,
  forgotten: ReadonlySet<string>,
  kept: ReadonlySet<number>,
): string[] {
  const gone = events
    // Without the lines that made it void, or that overwrote it, it might count.
    .filter(({ event, at }) => !kept.has(at) && (!isForgotten(event, forgotten) || bringsBack(ledger, event)))
    .map(({ event }) => event.id)
  lines.forEach(({ record }, at) => {
    const isBatch = record?.['type'] === 'batch' && verdicts[at] !== 'duplicate'
    if (isBatch && !kept.has(at) && typeof record['id'] === 'string') gone.push(record['id'])
  })
  return [...new Set(gone)]
}
