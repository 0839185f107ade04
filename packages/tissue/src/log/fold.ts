// State is a fold of the log. Fields, tags and dependencies go to the last writer by (seq, id) and comments are a
// set, so lines may be shuffled, repeated or merged; claims, and what is done under one, go by the order of lines, so
// a verdict never changes once it is in.
import type { Elsewhere } from '../cache/elsewhere.ts'
import type { Dep, KnownEvent, SingleEvent } from './event-schema.ts'
import { foldClaim, forgetClaims, renewClaim } from './fold-claim.ts'
import { isKnownEvent, isUnknownEvent } from './guard.ts'
import {
  addComment,
  type IssueState,
  newIssueState,
  overwriteFields,
  setField,
  setFields,
  setMember,
  setMeta,
} from './issue-state.ts'
import { type Contender, isLater, type Register, type Stamp, writeLast } from './register.ts'

/**
 * All that the log says, or all of it that open issues are about: then `elsewhere` knows the rest by name. `keys` leads
 * from an idempotency key to the issues made with it, the first one first.
 */
export type Ledger = {
  maxSeq: number
  prefix: Register<string> | undefined
  readonly settings: Map<string, Register<string | null>>
  readonly seen: Set<string>
  /** Events of which a compaction knew that they are valid. */
  readonly judged: Set<string>
  readonly issues: Map<string, IssueState>
  readonly deps: Map<string, Register<{ dep: Dep; present: boolean }>>
  readonly keys: Map<string, readonly Register<string>[]>
  readonly elsewhere?: Elsewhere
}

/**
 * What became of a line: `void` lost to an earlier claim, `partly` is a batch of which some events did, `unknown` is of
 * a later version, `foreign` is no event at all.
 */
export type Verdict = 'applied' | 'duplicate' | 'void' | 'partly' | 'unknown' | 'foreign'

/** Hears what became of each event, also of those in a batch. */
export type Watch = (event: SingleEvent, verdict: 'applied' | 'void') => void

/** The state before the first line. */
export function emptyLedger(): Ledger {
  return {
    maxSeq: 0,
    prefix: undefined,
    settings: new Map(),
    seen: new Set(),
    judged: new Set(),
    issues: new Map(),
    deps: new Map(),
    keys: new Map(),
  }
}

/** The state after these records, in the order of their lines. */
export function foldRecords(records: Iterable<Readonly<Record<string, unknown>>>): Ledger {
  const ledger = emptyLedger()
  for (const record of records) applyRecord(ledger, record)
  return ledger
}

/** Adds the next line of the log to `ledger`, in place, and says what became of it. */
export function applyRecord(ledger: Ledger, record: Readonly<Record<string, unknown>>, watch?: Watch): Verdict {
  const known = isKnownEvent(record)
  if (!known && !isUnknownEvent(record)) return 'foreign'
  if (!isFirst(ledger, record)) return 'duplicate'
  return known ? applyEvent(ledger, record, watch) : 'unknown'
}

/** The key of a dependency; `relates` has no direction. */
export function depKey({ kind, from, to }: Dep): string {
  return kind === 'relates' && to < from ? `${kind} ${to} ${from}` : `${kind} ${from} ${to}`
}

function isFirst(ledger: Ledger, { id, seq }: Stamp): boolean {
  const { seen } = ledger
  const before = seen.size
  // One look instead of two: the sets of long logs are what the fold takes most of its time for.
  if (seen.add(id).size === before) return false
  ledger.maxSeq = Math.max(ledger.maxSeq, seq)
  return true
}

function applyEvent(ledger: Ledger, event: KnownEvent, watch: Watch | undefined): Verdict {
  const apply = (one: SingleEvent) => {
    const verdict = applySingle(ledger, one)
    watch?.(one, verdict)
    return verdict
  }
  if (event.type !== 'batch') return apply(event)
  const verdicts = event.events.filter((one) => isFirst(ledger, one)).map(apply)
  if (!verdicts.includes('void')) return 'applied'
  return verdicts.includes('applied') ? 'partly' : 'void'
}

function applySingle(ledger: Ledger, event: SingleEvent): 'applied' | 'void' {
  if (event.type === 'compacted') {
    forgetEvents(ledger, event.gone ?? [])
    for (const id of event.judged ?? []) ledger.judged.add(id)
    return 'applied'
  }
  if (event.type === 'configured') {
    if (event.prefix !== undefined) ledger.prefix = writeLast(ledger.prefix, event, event.prefix)
    for (const [name, value] of Object.entries(event.settings ?? {})) {
      ledger.settings.set(name, writeLast(ledger.settings.get(name), event, value))
    }
    return 'applied'
  }
  const state = stateOf(ledger, event.issue)
  if (event.type === 'claimed' || event.type === 'released' || event.type === 'closed' || event.type === 'status') {
    if (!foldClaim(state, event, ledger.judged.has(event.id))) return 'void'
  }
  if (event.renewal) renewClaim(state, event.by, event.renewal)
  if (isLater(event, state.rev)) {
    state.rev = stampOf(event)
    state.updatedAt = event.at
  }
  applyToIssue(ledger, state, event)
  return 'applied'
}

type IssueEvent = Exclude<SingleEvent, { type: 'configured' | 'compacted' }>

function applyToIssue(ledger: Ledger, state: IssueState, event: IssueEvent): void {
  const { at } = event
  switch (event.type) {
    case 'created':
      applyCreated(ledger, state, event)
      break
    case 'edited':
      applyEdited(state, event)
      break
    case 'status':
      setField(state.fields, 'status', event, { status: event.status, at, reason: event.reason })
      break
    case 'closed':
      setField(state.fields, 'status', event, { status: 'closed', at, reason: event.reason })
      break
    case 'claimed':
      // A renewal says nothing new about the status, so that it does not compete with what another clone says.
      if (event.renews === undefined)
        setField(state.fields, 'status', event, { status: 'in_progress', at, isClaim: true })
      break
    case 'released':
      setField(state.fields, 'status', event, { status: 'open', at })
      setField(state.fields, 'assignee', event, event.to)
      if (event.note !== undefined) addComment(state, event, event.note)
      break
    case 'deleted':
      if (!state.deletedOn.includes(event.expect)) state.deletedOn = [...state.deletedOn, event.expect]
      break
    case 'commented':
      addComment(state, event, event.body, event.origin)
      break
    case 'tagged':
    case 'untagged':
      setMember(state, 'tags', event, { member: event.tag, isIn: event.type === 'tagged' })
      break
    case 'linked':
    case 'unlinked': {
      const dep = { kind: event.kind, from: event.issue, to: event.target }
      setDep(ledger, event, dep, event.type === 'linked')
      break
    }
  }
}

function applyCreated(ledger: Ledger, state: IssueState, event: Extract<SingleEvent, { type: 'created' }>): void {
  const { seq, id, at, by, key, finding, issue, meta, refs = [], blocked_by = [], links = [] } = event
  const first = { seq, id, isFirst: true }
  // Of several creations of one id the earliest counts.
  if (!state.created || isLater(state.created, event)) {
    state.created = { seq, id, value: { at, by, key, finding } }
  }
  setFields(state, first, event)
  setField(state.fields, 'status', first, { status: 'open', at })
  for (const [name, value] of Object.entries(meta ?? {})) setMeta(state, first, name, value)
  for (const tag of event.tags) setMember(state, 'tags', first, { member: tag, isIn: true })
  for (const ref of refs) setMember(state, 'refs', first, { member: ref, isIn: true })
  for (const from of blocked_by) setDep(ledger, first, { kind: 'blocks', from, to: issue }, true)
  for (const dep of links) setDep(ledger, first, dep, true)
  if (key === undefined) return
  const made = [...(ledger.keys.get(key) ?? []), { seq, id, value: issue }]
  ledger.keys.set(
    key,
    made.sort((a, b) => (isLater(a, b) ? 1 : -1)),
  )
}

function applyEdited(state: IssueState, event: Extract<SingleEvent, { type: 'edited' }>): void {
  setFields(state, event, event)
  for (const [name, value] of Object.entries(event.meta ?? {})) setMeta(state, event, name, value)
  for (const ref of event.add_refs ?? []) setMember(state, 'refs', event, { member: ref, isIn: true })
  for (const ref of event.rm_refs ?? []) setMember(state, 'refs', event, { member: ref, isIn: false })
}

/**
 * Compaction dropped these events. Those that come back, as a merge may bring them, do nothing any more; what such a
 * one has done before this was read is taken back.
 */
function forgetEvents(ledger: Ledger, gone: readonly string[]): void {
  const late = new Set(gone.filter((id) => ledger.seen.has(id)))
  for (const id of gone) ledger.seen.add(id)
  if (late.size === 0) return
  for (const state of ledger.issues.values()) {
    overwriteFields(state, late)
    forgetClaims(state, late)
  }
}

function setDep(ledger: Ledger, by: Contender, dep: Dep, present: boolean): void {
  const key = depKey(dep)
  ledger.deps.set(key, writeLast(ledger.deps.get(key), by, { dep, present }))
}

function stampOf({ seq, id }: Stamp): Stamp {
  return { seq, id }
}

function stateOf(ledger: Ledger, id: string): IssueState {
  const known = ledger.issues.get(id)
  if (known) return known
  const state = newIssueState(id)
  ledger.issues.set(id, state)
  return state
}
