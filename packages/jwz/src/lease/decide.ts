// What a verb wants to write, decided on the leases as they stand. Here, and only here, a clock says whether one is
// over.
import { Failure } from '@switchyard/ground/failure'
import { renderTime } from '../text/message-line.ts'
import { isInTheWay, type Lease, type Leases } from './fold.ts'
import { keysOverlap } from './overlap.ts'
import type { LeaseRecord } from './schema.ts'

/** Who acts, when (milliseconds since 1970), and where new ids come from. */
export type Actor = { readonly from: string; readonly at: number; readonly newId: () => string }

/** What is asked for. `keys` are in their stored form, sorted, each once. */
export type Wish = {
  readonly keys: readonly string[]
  readonly mode: Lease['mode']
  readonly ttlMs: number
  readonly reason: string | undefined
}

/** A lease to renew, release or steal: by its id, or by one of its keys. */
export type Target = { readonly id: string } | { readonly key: string }

const lost = 'it belongs to another now: stop'

/** Whether a lease holds now, by this clock. */
export function isLive({ until }: Lease, now: number): boolean {
  return until > now
}

/** The leases of others that keep a wish from being granted now. */
export function blockersOf(
  leases: Pick<Leases, 'current'>,
  { from, at }: Omit<Actor, 'newId'>,
  { keys, mode }: Pick<Wish, 'keys' | 'mode'>,
) {
  return [...leases.current.values()].filter((lease) => isLive(lease, at) && isInTheWay(lease, { from, keys, mode }))
}

/**
 * The lease of all keys of a wish, in the place of those that are over; a renewal when this actor has it already.
 * Exits 5 when another holds one of them.
 */
export function decideAcquire(leases: Leases, actor: Actor, wish: Wish): LeaseRecord[] {
  const { from } = actor
  const [blocker] = blockersOf(leases, actor, wish)
  if (blocker) throw heldFailure(blocker, wish.keys, 'wait for it with --wait 10m, or do something else first')
  const standing = [...leases.current.values()]
  const own = standing.find((lease) => lease.holder === from && lease.keys.join('\n') === wish.keys.join('\n'))
  if (own && own.mode === wish.mode) return [renewal(own, actor, wish)]
  const over = standing.filter((lease) => isInTheWay(lease, { ...wish, from }))
  return [taking('acquire', leases, actor, wish, own ? [own, ...over] : over)]
}

/**
 * Renewals of the actor's leases, also of those that are over but were not taken. Exits 5 when another has one, 3 when
 * none is there.
 */
export function decideRenew(
  leases: Leases,
  actor: Actor,
  targets: readonly Target[],
  wish: Pick<Wish, 'ttlMs' | 'reason'>,
): LeaseRecord[] {
  const found = targets.flatMap((target) => {
    const own = ownLeases(leases, actor, target)
    if (own.length === 0) throw noLeaseFailure(leases, actor, target)
    return own
  })
  return [...new Set(found)].map((lease) => renewal(lease, actor, wish))
}

/**
 * Releases of the actor's leases: of the whole lease by its id, of single keys by their name. What nobody holds any
 * more is left out. Exits 5 when another has it, 3 on an id that no lease ever had.
 */
export function decideRelease(leases: Leases, actor: Actor, targets: readonly Target[]): LeaseRecord[] {
  const given = new Map<Lease, Set<string>>()
  for (const target of targets) {
    const own = ownLeases(leases, actor, target)
    if (own.length === 0) allowNothingToRelease(leases, actor, target)
    for (const lease of own) {
      const keys = given.get(lease) ?? new Set()
      given.set(lease, keys)
      for (const key of 'id' in target ? lease.keys : [target.key]) keys.add(key)
    }
  }
  return [...given].map(([lease, keys]) => {
    return { type: 'release', ...envelope(actor), lease: lease.id, keys: [...keys], replaces: [lease.head] }
  })
}

/** The take-over of another's lease, with its keys and mode. Exits 3 when there is none, 4 when a key has several. */
export function decideSteal(
  leases: Leases,
  actor: Actor,
  target: Target,
  { ttlMs, reason }: Pick<Wish, 'ttlMs' | 'reason'>,
): LeaseRecord[] {
  const { from } = actor
  const [stolen, second] = [...leases.current.values()].filter((lease) =>
    'id' in target ? lease.id === target.id : lease.holder !== from && lease.keys.includes(target.key),
  )
  if (second)
    throw new Failure('ambiguous', `${nameOf(target)} is in several leases`, {
      hint: 'name one by its id: jwz lease list',
    })
  if (!stolen)
    throw new Failure('notFound', `nobody else has a lease ${nameOf(target)}`, { hint: 'see jwz lease list' })
  if (stolen.holder === from)
    throw new Failure('usage', `a lease of another can be stolen, ${stolen.id} is yours`, {
      hint: 'jwz lease acquire --renew keeps it',
    })
  const wish = { keys: stolen.keys, mode: stolen.mode, ttlMs, reason }
  const others = [...leases.current.values()].filter(
    (lease) => lease !== stolen && isInTheWay(lease, { ...wish, from }),
  )
  const live = others.find((lease) => isLive(lease, actor.at))
  if (live) throw heldFailure(live, wish.keys, `steal that one first: jwz lease acquire --steal ${live.id}`)
  return [taking('steal', leases, actor, wish, [stolen, ...others])]
}

function taking(
  type: 'acquire' | 'steal',
  leases: Leases,
  actor: Actor,
  { keys, mode, ttlMs, reason }: Wish,
  replaced: readonly Lease[],
): LeaseRecord {
  const start = envelope(actor)
  const former = replaced.map(({ holder }) => holder).filter((holder) => holder !== actor.from)
  return {
    type,
    ...start,
    lease: start.id,
    keys: [...keys],
    mode,
    until: actor.at + ttlMs,
    reason: reason ?? null,
    fence: leases.fence + 1,
    replaces: replaced.map(({ head }) => head),
    ...(former.length === 0 ? {} : { former }),
  }
}

function renewal(lease: Lease, actor: Actor, { ttlMs, reason }: Pick<Wish, 'ttlMs' | 'reason'>): LeaseRecord {
  return {
    type: 'renew',
    ...envelope(actor),
    lease: lease.id,
    keys: [...lease.keys],
    until: actor.at + ttlMs,
    reason: reason ?? lease.reason,
    replaces: [lease.head],
  }
}

function envelope({ from, at, newId }: Actor): { v: 1; id: string; at: number; from: string } {
  return { v: 1, id: newId(), at, from }
}

function ownLeases(leases: Leases, { from }: Actor, target: Target): Lease[] {
  return [...leases.current.values()].filter(
    (lease) => lease.holder === from && ('id' in target ? lease.id === target.id : lease.keys.includes(target.key)),
  )
}

/** Another's lease in the way of what was asked for, in words that say what to do. */
function heldFailure(lease: Lease, keys: readonly string[], hint: string): Failure {
  const wanted = keys.find((key) => lease.keys.some((held) => keysOverlap(held, key))) ?? lease.id
  const held = lease.keys.find((key) => keysOverlap(key, wanted)) ?? wanted
  const why = lease.reason === null ? '' : ` (${lease.reason})`
  const what = held === wanted ? 'it' : held
  return new Failure(
    'conflict',
    `expected ${wanted} to be free, ${lease.holder} holds ${what} until ${renderTime(lease.until)}${why}`,
    { hint },
  )
}

function noLeaseFailure(leases: Leases, actor: Actor, target: Target): Failure {
  const taken = takenFailure(leases, actor, target)
  if (taken) return taken
  const ended = 'id' in target && leases.ended.has(target.id) ? ' any more' : ''
  return new Failure('notFound', `${actor.from} has no lease ${nameOf(target)}${ended}`, {
    hint: 'jwz lease acquire it',
  })
}

function allowNothingToRelease(leases: Leases, actor: Actor, target: Target): void {
  const taken = takenFailure(leases, actor, target)
  if (taken) throw taken
  if ('key' in target || leases.ended.has(target.id)) return
  throw new Failure('notFound', `no lease ${target.id}`, { hint: 'jwz lease list --all shows them' })
}

/** Why a target is not this actor's, if that is because of another. */
function takenFailure(leases: Leases, actor: Actor, target: Target): Failure | undefined {
  if ('key' in target) {
    const [blocker] = blockersOf(leases, actor, { keys: [target.key], mode: 'exclusive' })
    return blocker && heldFailure(blocker, [target.key], lost)
  }
  const current = leases.current.get(target.id)
  const ending = leases.ended.get(target.id)
  const by = current?.holder ?? (ending?.how === 'replaced' ? ending.by : actor.from)
  if (by === actor.from) return undefined
  return new Failure('conflict', `expected lease ${target.id} to be ${actor.from}'s, ${by} has it`, {
    hint: lost,
  })
}

function nameOf(target: Target): string {
  return 'id' in target ? target.id : `on ${target.key}`
}
