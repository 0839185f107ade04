// Who holds an issue, and its status: a function of the set of what was said of them, in whatever order it was read.
// No clock is read here: the writer of a claim judges whether a lease is over, and names what it supersedes.
import type { Claim } from '../schema/schemas.ts'
import type { ClaimFact, Fact, StatusFact, StatusWrite } from './fact.ts'
import { isLater, type Register, type Stamp } from './register.ts'

/** A claim as it stands; `head` is its newest event, `lengthMs` the lease its holder asked for last. */
export type HeldClaim = Claim & { readonly head: string; readonly lengthMs: number }

/**
 * What the facts of an issue come to. `open` are the claims that nothing has ended: those that count, and those that
 * their writers have not confirmed yet.
 */
export type Standing = {
  readonly status: Register<StatusWrite> | undefined
  readonly claim: HeldClaim | null
  readonly contested: readonly Claim[]
  readonly open: readonly string[]
  /** Claims that count for nothing: never confirmed, or in a former version not the first. */
  readonly lost: readonly string[]
}

/** A claim while the facts are gone through; `replaced` is the head before it, `rivals` lost to it in a former log. */
type Live = Stamp & { claim: HeldClaim; readonly replaced: string | null; readonly rivals: Claim[] }

type Write = Stamp & {
  readonly value: StatusWrite
  readonly isFirst?: boolean
  readonly replaces: readonly string[] | undefined
}

type Pass = {
  readonly confirmed: ReadonlySet<string>
  /** Events of a former version of which a compaction knew that they are valid. */
  readonly judged: ReadonlySet<string>
  readonly live: Map<string, Live>
  readonly unconfirmed: Set<string>
  readonly lost: string[]
  readonly ended: Set<string>
  readonly writes: Write[]
}

/** Judges all facts of an issue. */
export function judge(facts: readonly Fact[], judged: ReadonlySet<string>): Standing {
  const [only] = facts
  if (only?.kind === 'status' && facts.length === 1 && only.isFirst) return justMade(only)
  const sorted = isSorted(facts) ? facts : [...facts].sort((a, b) => (isLater(a, b) ? 1 : isLater(b, a) ? -1 : 0))
  const pass: Pass = {
    confirmed: confirmedIn(sorted),
    judged,
    live: new Map(),
    unconfirmed: new Set(),
    lost: [],
    ended: new Set(),
    writes: [],
  }
  for (const fact of sorted) take(pass, fact)
  const live = [...pass.live.values()]
  const last = live.pop()
  const contested = last ? [...live.map(({ claim }) => plain(claim)), ...last.rivals] : []
  return {
    status: statusOf(pass),
    claim: last?.claim ?? null,
    contested: contested.filter(({ by }) => by !== last?.claim.by),
    open: [...pass.live.keys(), ...pass.unconfirmed],
    lost: pass.lost,
  }
}

/** As nearly all logs are read. */
function isSorted(facts: readonly Fact[]): boolean {
  return facts.every((fact, at) => !isLater(facts[at - 1] ?? fact, fact))
}

function justMade({ seq, id, status, at }: StatusFact): Standing {
  return { status: { seq, id, value: { status, at }, isFirst: true }, claim: null, contested: [], open: [], lost: [] }
}

/** A claim is confirmed by its own writer alone. */
function confirmedIn(facts: readonly Fact[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const fact of facts) if (fact.kind === 'confirm') found.add(`${fact.by} ${fact.of}`)
  return found
}

function take(pass: Pass, fact: Fact): void {
  switch (fact.kind) {
    case 'status':
      takeStatus(pass, fact)
      break
    case 'claim':
      if (fact.supersedes) takeClaim(pass, fact, fact.supersedes)
      else takeFormerClaim(pass, fact)
      break
    case 'renew':
    case 'keep':
      renew(pass, fact)
      break
    case 'confirm':
      break
  }
}

function takeClaim(pass: Pass, fact: ClaimFact, supersedes: readonly string[]): void {
  if (!pass.confirmed.has(`${fact.by} ${fact.id}`)) {
    pass.lost.push(fact.id)
    if (!pass.ended.has(fact.id)) pass.unconfirmed.add(fact.id)
    return
  }
  end(pass, supersedes)
  begin(pass, fact)
}

/** What a former version wrote names the head that it replaces, and counts if that was current. */
function takeFormerClaim(pass: Pass, fact: ClaimFact): void {
  const current = currentOf(pass)
  const { id, by, at, until, expect } = fact
  if (expect === (current?.claim.head ?? null) || pass.judged.has(id)) {
    end(pass, [...pass.live.keys()])
    begin(pass, fact)
  } else {
    pass.lost.push(id)
    if (current && expect === current.replaced) current.rivals.push({ id, by, since: at, until })
  }
}

function begin(pass: Pass, { seq, id, by, at, until, leases, expect, replaces }: ClaimFact): void {
  if (!pass.ended.has(id)) {
    const claim = { id, by, since: at, until, head: id, lengthMs: Math.max(0, until - at) }
    pass.live.set(id, {
      seq,
      id,
      claim: leases ? { ...claim, leases: [...leases] } : claim,
      replaced: expect,
      rivals: [],
    })
  }
  pass.writes.push({ seq, id, replaces, value: { status: 'in_progress', at, isClaim: true } })
}

function takeStatus(pass: Pass, fact: StatusFact): void {
  const { seq, id, status, at, reason, isFirst, replaces } = fact
  if (!isFirst && !endClaims(pass, fact)) return
  const value = reason === undefined ? { status, at } : { status, at, reason }
  pass.writes.push(isFirst ? { seq, id, value, isFirst, replaces: [] } : { seq, id, value, replaces })
}

/** False when the event is of a former version and was void. */
function endClaims(pass: Pass, { id, status, ends, fence, expect }: StatusFact): boolean {
  if (ends) {
    end(pass, ends)
    return true
  }
  const current = currentOf(pass)
  const isValid =
    pass.judged.has(id) ||
    (expect === undefined ? fence === undefined || fence === current?.claim.id : expect === current?.claim.head)
  if (isValid && status !== 'in_progress') end(pass, [...pass.live.keys()])
  // Whoever was told that it is closed was told so for good, whatever became of the claim.
  return isValid || isEnding(status)
}

function renew(pass: Pass, fact: Extract<Fact, { kind: 'renew' | 'keep' }>): void {
  const live = pass.live.get(fact.of)
  if (!live || live.claim.by !== fact.by) return
  const { claim } = live
  if (fact.kind === 'keep') live.claim = { ...claim, until: Math.max(claim.until, fact.until) }
  else {
    const { id, until, lengthMs, leases } = fact
    live.claim = { ...claim, head: id, until, lengthMs, ...(leases ? { leases: [...leases] } : {}) }
  }
}

function end(pass: Pass, ids: readonly string[]): void {
  for (const id of ids) {
    pass.live.delete(id)
    pass.unconfirmed.delete(id)
    pass.ended.add(id)
  }
}

function currentOf({ live }: Pass): Live | undefined {
  return [...live.values()].at(-1)
}

/**
 * The write of the status that wins, with those that did not see it or were not seen. Of these an end wins: what was
 * closed stays closed until somebody opens it who has seen that.
 */
function statusOf({ writes, ended }: Pass): Register<StatusWrite> | undefined {
  const known = isChain(writes) ? writes.slice(-1) : headsIn(writes)
  const heads = known.filter(({ id, value, isFirst }) => !isFirst && !(value.isClaim && ended.has(id)))
  const all = heads.length > 0 ? heads : writes.filter(({ isFirst }) => isFirst).slice(0, 1)
  const winner = all.findLast(({ value }) => isEnding(value.status)) ?? all.at(-1)
  if (!winner) return undefined
  const rivals = all.filter((one) => one !== winner).map(({ seq, id, value }) => ({ seq, id, value }))
  const { seq, id, value, isFirst } = winner
  return { seq, id, value, ...(isFirst ? { isFirst } : {}), ...(rivals.length > 0 ? { rivals } : {}) }
}

/** Whether each write has seen the one before it, and no other: the usual case, of which the last is left. */
function isChain(writes: readonly Write[]): boolean {
  return writes.every(({ isFirst, replaces }, at) => {
    return at === 0 ? isFirst : replaces?.length === 1 && replaces[0] === writes[at - 1]?.id
  })
}

/** The writes that no later one has seen; one that names none has seen every smaller `seq`. Sorted, as they came. */
function headsIn(writes: readonly Write[]): Write[] {
  const seen = new Map<string, Stamp>()
  let floor = 0
  for (const write of writes) {
    for (const id of write.replaces ?? []) seen.set(id, write)
    if (write.replaces === undefined) floor = Math.max(floor, write.seq)
  }
  return writes.filter((write) => {
    const heir = seen.get(write.id)
    return !write.isFirst && write.seq >= floor && !(heir && isLater(heir, write))
  })
}

function isEnding(status: StatusWrite['status']): boolean {
  return status === 'closed' || status === 'duplicate'
}

function plain({ id, by, since, until }: HeldClaim): Claim {
  return { id, by, since, until }
}
