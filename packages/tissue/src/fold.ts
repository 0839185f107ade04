// State is a fold of the log. Fields, tags and dependencies go to the last writer by (seq, id) and comments are a
// set, so lines may be shuffled, repeated or merged; claims, and what is done under one, go by the order of lines, so
// a verdict never changes once it is in.
import { foldClaim } from './fold-claim.ts'
import { isKnownEvent, isUnknownEvent } from './guard.ts'
import type { Claim, Comment, Dep, KnownEvent, Status } from './schemas.ts'

/** Where a write stands among all others: by `seq`, and by `id` between writers that did not see each other. */
type Stamp = { readonly seq: number; readonly id: string }
type Register<T> = Stamp & { readonly value: T }

/** `head` is the newest event of the claim, `replaced` the head before its first one. */
export type HeldClaim = Claim & { readonly head: string; readonly replaced: string | null }

export type IssueState = {
  readonly id: string
  created:
    | Register<{ at: number; by: string; key?: string | undefined; finding?: Record<string, unknown> | undefined }>
    | undefined
  title: Register<string> | undefined
  body: Register<string> | undefined
  priority: Register<number> | undefined
  status: Register<{ status: Status; at: number; reason?: string | undefined }> | undefined
  updatedAt: number
  claim: HeldClaim | null
  contested: Claim[]
  readonly tags: Map<string, Register<boolean>>
  readonly comments: Map<string, Register<Comment>>
}

/** All that the log says. `keys` leads from an idempotency key to the first issue made with it. */
export type Ledger = {
  maxSeq: number
  prefix: Register<string> | undefined
  readonly seen: Set<string>
  readonly issues: Map<string, IssueState>
  readonly deps: Map<string, Register<{ dep: Dep; present: boolean }>>
  readonly keys: Map<string, Register<string>>
}

/**
 * What became of a line: `void` lost to an earlier claim, `unknown` is of a later version, `foreign` is no event at
 * all.
 */
export type Verdict = 'applied' | 'duplicate' | 'void' | 'unknown' | 'foreign'

/** The state before the first line. */
export function emptyLedger(): Ledger {
  return { maxSeq: 0, prefix: undefined, seen: new Set(), issues: new Map(), deps: new Map(), keys: new Map() }
}

/** The state after these records, in the order of their lines. */
export function foldRecords(records: Iterable<Readonly<Record<string, unknown>>>): Ledger {
  const ledger = emptyLedger()
  for (const record of records) applyRecord(ledger, record)
  return ledger
}

/** Adds the next line of the log to `ledger`, in place, and says what became of it. */
export function applyRecord(ledger: Ledger, record: Readonly<Record<string, unknown>>): Verdict {
  const known = isKnownEvent(record)
  if (!known && !isUnknownEvent(record)) return 'foreign'
  if (ledger.seen.has(record.id)) return 'duplicate'
  ledger.seen.add(record.id)
  ledger.maxSeq = Math.max(ledger.maxSeq, record.seq)
  return known ? applyEvent(ledger, record) : 'unknown'
}

/** Whether `a` wins over `b`. */
function isLater(a: Stamp, b: Stamp | undefined): boolean {
  return b === undefined || a.seq > b.seq || (a.seq === b.seq && a.id > b.id)
}

/** The register after a write of `value`. */
function write<T>(old: Register<T> | undefined, { seq, id }: Stamp, value: T): Register<T> {
  return old === undefined || isLater({ seq, id }, old) ? { seq, id, value } : old
}

/** The key of a dependency; `relates` has no direction. */
export function depKey({ kind, from, to }: Dep): string {
  return kind === 'relates' && to < from ? `${kind} ${to} ${from}` : `${kind} ${from} ${to}`
}

function applyEvent(ledger: Ledger, event: KnownEvent): Verdict {
  if (event.type === 'configured') {
    ledger.prefix = write(ledger.prefix, event, event.prefix)
    return 'applied'
  }
  const state = stateOf(ledger, event.issue)
  if (event.type === 'claimed' || event.type === 'released' || event.type === 'closed' || event.type === 'status') {
    if (!foldClaim(state, event)) return 'void'
  }
  state.updatedAt = Math.max(state.updatedAt, event.at)
  applyToIssue(ledger, state, event)
  return 'applied'
}

function applyToIssue(ledger: Ledger, state: IssueState, event: Exclude<KnownEvent, { type: 'configured' }>): void {
  switch (event.type) {
    case 'created':
      applyCreated(ledger, state, event)
      break
    case 'edited':
      if (event.title !== undefined) state.title = write(state.title, event, event.title)
      if (event.body !== undefined) state.body = write(state.body, event, event.body)
      if (event.priority !== undefined) state.priority = write(state.priority, event, event.priority)
      break
    case 'status':
      state.status = write(state.status, event, { status: event.status, at: event.at })
      break
    case 'closed':
      state.status = write(state.status, event, { status: 'closed', at: event.at, reason: event.reason })
      break
    case 'claimed':
      state.status = write(state.status, event, { status: 'in_progress', at: event.at })
      break
    case 'released':
      state.status = write(state.status, event, { status: 'open', at: event.at })
      if (event.note !== undefined) addComment(state, event, event.note)
      break
    case 'commented':
      addComment(state, event, event.body)
      break
    case 'tagged':
    case 'untagged':
      writeTag(state, event, event.tag, event.type === 'tagged')
      break
    case 'linked':
    case 'unlinked': {
      const dep = { kind: event.kind, from: event.issue, to: event.target }
      writeDep(ledger, event, dep, event.type === 'linked')
      break
    }
  }
}

function applyCreated(ledger: Ledger, state: IssueState, event: Extract<KnownEvent, { type: 'created' }>): void {
  const { at, by, key, finding, id, seq } = event
  if (!state.created || isLater(state.created, event)) state.created = { id, seq, value: { at, by, key, finding } }
  state.title = write(state.title, event, event.title)
  state.body = write(state.body, event, event.body)
  state.priority = write(state.priority, event, event.priority)
  state.status = write(state.status, event, { status: 'open', at })
  for (const tag of event.tags) writeTag(state, event, tag, true)
  for (const from of event.blocked_by ?? []) writeDep(ledger, event, { kind: 'blocks', from, to: event.issue }, true)
  if (key === undefined) return
  const first = ledger.keys.get(key)
  if (!first || isLater(first, event)) ledger.keys.set(key, { id, seq, value: event.issue })
}

function addComment(state: IssueState, event: Stamp & { at: number; by: string }, body: string): void {
  const { id, seq, at, by } = event
  state.comments.set(id, { id, seq, value: { id, at, by, body } })
}

function writeTag(state: IssueState, stamp: Stamp, tag: string, present: boolean): void {
  state.tags.set(tag, write(state.tags.get(tag), stamp, present))
}

function writeDep(ledger: Ledger, stamp: Stamp, dep: Dep, present: boolean): void {
  const key = depKey(dep)
  ledger.deps.set(key, write(ledger.deps.get(key), stamp, { dep, present }))
}

function stateOf(ledger: Ledger, id: string): IssueState {
  const known = ledger.issues.get(id)
  if (known) return known
  const state: IssueState = {
    id,
    created: undefined,
    title: undefined,
    body: undefined,
    priority: undefined,
    status: undefined,
    updatedAt: 0,
    claim: null,
    contested: [],
    tags: new Map(),
    comments: new Map(),
  }
  ledger.issues.set(id, state)
  return state
}
