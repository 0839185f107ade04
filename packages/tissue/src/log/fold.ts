// State is a fold of the log, and a function of the set of its events: lines may be shuffled, repeated or merged.
// Fields, tags and dependencies go to the last writer by (seq, id), comments are a set, and who holds an issue is
// judged from all that was said of it once the lines are read.
import type { Elsewhere } from '../cache-file/elsewhere.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import type { Dep, KnownEvent, SingleEvent } from '../schema/event-schema.ts'
import { type Fact, factsOf } from './fact.ts'
import { addComment, type IssueState, newIssueState, setField, setFields, setMember, setMeta } from './issue-state.ts'
import { isUnknownEvent, kindOf, seqIn } from './later-event.ts'
import { type Contender, isLater, type Register, type Stamp, writeLast } from './register.ts'
import { judge } from './standing.ts'

/** `chosen` leads from the ids that were used for several events to the one that counts, as JSON. */
export type Knowledge = Pick<Ledger, 'gone' | 'withdrawn' | 'chosen'>

/**
 * All that the log says, or all of it that open issues are about: then `elsewhere` knows the rest by name. `keys` leads
 * from an idempotency key to the issues made with it, the first one first.
 */
export type Ledger = {
  maxSeq: number
  prefix: Register<string> | undefined
  readonly settings: Map<string, Register<string | null>>
  readonly seen: Set<string>
  /** Ids that were met again: whether with the same content, the lines have to tell. */
  readonly repeated: Set<string>
  /** Events that do nothing: compaction dropped them, or their writers took them back. */
  readonly gone: Set<string>
  readonly withdrawn: Set<string>
  /** Set when one of these had done something before it was known. */
  isStale: boolean
  /** Kinds of events that only a later version understands. */
  readonly later: Set<string>
  /** Events of a former version of which a compaction knew that they are valid. */
  readonly judged: Set<string>
  /** Issues of which something was read that is not judged yet. */
  readonly unsettled: Set<IssueState>
  readonly chosen: ReadonlyMap<string, string>
  readonly issues: Map<string, IssueState>
  readonly deps: Map<string, Register<{ dep: Dep; present: boolean }>>
  readonly keys: Map<string, readonly Register<string>[]>
  readonly elsewhere?: Elsewhere
}

/**
 * What became of a line: `gone` does nothing any more, `other` gave way to another with its id, `unknown` is of a later
 * version, `foreign` is no event at all.
 */
export type EventFate = 'applied' | 'duplicate' | 'gone' | 'other' | 'unknown' | 'foreign'

/** Hears of each event that counts, also of those in a batch. */
export type Watch = (event: SingleEvent) => void

/** The state before the first line; `known` is what only all lines together tell. */
export function emptyLedger(known?: Knowledge): Ledger {
  return {
    maxSeq: 0,
    prefix: undefined,
    settings: new Map(),
    seen: new Set(),
    repeated: new Set(),
    gone: new Set(known?.gone),
    withdrawn: new Set(known?.withdrawn),
    isStale: false,
    later: new Set(),
    judged: new Set(),
    unsettled: new Set(),
    chosen: known?.chosen ?? new Map(),
    issues: new Map(),
    deps: new Map(),
    keys: new Map(),
  }
}

/** Adds a line of the log to `ledger`, in place, and says what became of it. Whoever looks then settles it first. */
export function applyRecord(ledger: Ledger, record: Readonly<Record<string, unknown>>, watch?: Watch): EventFate {
  const known = isKnownEvent(record)
  if (!known && !isUnknownEvent(record)) return 'foreign'
  const verdict = enter(ledger, record)
  if (verdict !== 'applied') return verdict
  ledger.maxSeq = Math.max(ledger.maxSeq, seqIn(record))
  if (!known) {
    ledger.later.add(kindOf(record))
    return 'unknown'
  }
  applyEvent(ledger, record, watch)
  return 'applied'
}

/** Judges what was read since the last time. */
export function settle(ledger: Ledger): void {
  for (const state of ledger.unsettled) {
    const { status, claim, contested, open, lost } = judge(state.facts, ledger.judged)
    state.fields.status = status
    state.claim = claim
    state.contested = contested
    state.openClaims = open
    state.lostClaims = lost
    // Whether it is news, a claim of a former version tells no sooner.
    for (const fact of state.facts) if (fact.kind === 'claim' && !lost.includes(fact.id)) touch(state, fact)
  }
  ledger.unsettled.clear()
}

/** Whether an event is in the log without counting: a claim that lost, or what its writer took back. */
export function isVoid(ledger: Ledger, event: SingleEvent): boolean {
  if (ledger.withdrawn.has(ownName(event.by, event.id))) return true
  return event.type === 'claimed' && ledger.issues.get(event.issue)?.lostClaims.includes(event.id) === true
}

/** The key of a dependency; `relates` has no direction. */
export function depKey({ kind, from, to }: Dep): string {
  return kind === 'relates' && to < from ? `${kind} ${to} ${from}` : `${kind} ${from} ${to}`
}

/** Whether an event counts: the first one of its id, and of several with other content the one that was chosen. */
function enter(ledger: Ledger, event: { readonly id: string; readonly by?: unknown }): EventFate {
  const { seen, gone, withdrawn, chosen } = ledger
  const { id } = event
  const text = chosen.get(id)
  if (text !== undefined && text !== JSON.stringify(event)) return 'other'
  if (gone.size > 0 && gone.has(id)) return 'gone'
  const before = seen.size
  // One look instead of two: the sets of long logs are what the fold takes most of its time for.
  if (seen.add(id).size === before) {
    ledger.repeated.add(id)
    return 'duplicate'
  }
  return withdrawn.size > 0 && withdrawn.has(ownName(event.by, id)) ? 'gone' : 'applied'
}

function applyEvent(ledger: Ledger, event: KnownEvent, watch: Watch | undefined): void {
  const events = event.type === 'batch' ? event.events : [event]
  for (const one of events) {
    if (event.type === 'batch') {
      if (enter(ledger, one) !== 'applied') continue
      ledger.maxSeq = Math.max(ledger.maxSeq, one.seq)
    }
    applySingle(ledger, one)
    watch?.(one)
  }
}

function applySingle(ledger: Ledger, event: SingleEvent): void {
  if (event.type === 'compacted') {
    for (const id of event.gone ?? []) forget(ledger, id, ledger.gone.has(id))
    for (const id of event.gone ?? []) ledger.gone.add(id)
    for (const id of event.judged ?? []) ledger.judged.add(id)
    return
  }
  if (event.type === 'configured') {
    if (event.prefix !== undefined) ledger.prefix = writeLast(ledger.prefix, event, event.prefix)
    for (const [name, value] of Object.entries(event.settings ?? {})) {
      ledger.settings.set(name, writeLast(ledger.settings.get(name), event, value))
    }
    return
  }
  if (event.type === 'withdrawn') {
    const name = ownName(event.by, event.of)
    forget(ledger, event.of, ledger.withdrawn.has(name))
    ledger.withdrawn.add(name)
  }
  const state = stateOf(ledger, event.issue)
  const facts = factsOf(event)
  if (facts.length > 0) addFacts(ledger, state, facts)
  // A claim that does not count is nothing.
  if (event.type !== 'claimed' || event.renews !== undefined) touch(state, event)
  applyToIssue(ledger, state, event)
}

function touch(state: IssueState, event: Stamp & { readonly at: number }): void {
  if (!isLater(event, state.rev)) return
  state.rev = stampOf(event)
  state.updatedAt = event.at
}

/** An event by its writer and its id: nobody takes back what another wrote. */
function ownName(by: unknown, id: string): string {
  return `${by} ${id}`
}

/** What an event has done that turns out not to count cannot be undone: all lines are read again. */
function forget(ledger: Ledger, id: string, isKnown: boolean): void {
  if (!isKnown && ledger.seen.has(id)) ledger.isStale = true
}

function addFacts(ledger: Ledger, state: IssueState, facts: readonly Fact[]): void {
  if (state.facts.length === 0) state.facts = [...facts]
  else state.facts.push(...facts)
  ledger.unsettled.add(state)
}

type IssueEvent = Exclude<SingleEvent, { type: 'configured' | 'compacted' }>

function applyToIssue(ledger: Ledger, state: IssueState, event: IssueEvent): void {
  switch (event.type) {
    case 'created':
      applyCreated(ledger, state, event)
      break
    case 'edited':
      applyEdited(state, event)
      break
    case 'released':
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
  // The earliest of several creations of one id counts.
  if (!state.created || isLater(state.created, event)) {
    state.created = { seq, id, value: { at, by, key, finding } }
  }
  setFields(state, first, event)
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
