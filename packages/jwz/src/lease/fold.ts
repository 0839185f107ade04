// The leases that stand, folded from their records. Whether a record counts follows from the records before it and from
// nothing else: no clock is read here. Its writer judges whether a lease is over, and names the one it replaces.
import { keysOverlap } from './overlap.ts'
import type { LeaseRecord, StandingLease } from './schema.ts'

/** A lease that stands: its `head` is the newest record of it that counts. */
export type Lease = Readonly<StandingLease>

/** How a lease ended: by its holder's release, because another has taken its place, or long after it was over. */
type Ending = { how: 'released' | 'replaced' | 'forgotten'; by: string }

/** `fence` is that of the newest lease that counts; `ended` are the leases that ended in the records folded. */
export type Leases = { readonly current: Map<string, Lease>; readonly ended: Map<string, Ending>; fence: number }

type Taken = Extract<LeaseRecord, { type: 'acquire' | 'steal' }>
type Checkpoint = Extract<LeaseRecord, { type: 'base' }>

/** No leases at all. */
export function noLeases(): Leases {
  return { current: new Map(), ended: new Map(), fence: 0 }
}

/**
 * Moves the leases on by one record, which began at `offset` of its file; false when it is void and changes nothing.
 */
export function foldLease(leases: Leases, record: LeaseRecord, offset: number): boolean {
  if (record.type === 'base') return foldCheckpoint(leases, record, offset)
  if (record.type === 'acquire' || record.type === 'steal') return foldTaken(leases, record)
  const lease = leases.current.get(record.lease)
  if (lease === undefined || lease.holder !== record.from) return false
  if (record.replaces.length !== 1 || record.replaces[0] !== lease.head) return false
  if (record.type === 'renew') {
    leases.current.set(lease.id, { ...lease, head: record.id, until: record.until, reason: record.reason })
    return true
  }
  const keys = lease.keys.filter((key) => !record.keys.includes(key))
  if (keys.length > 0) leases.current.set(lease.id, { ...lease, head: record.id, keys })
  else end(leases, lease, { how: 'released', by: record.from })
  return true
}

/** Whether two leases may not both stand. One holder is never in its own way. */
export function isInTheWay(
  lease: Lease,
  wish: { from: string; keys: readonly string[]; mode: Lease['mode'] },
): boolean {
  if (lease.holder === wish.from || (lease.mode === 'shared' && wish.mode === 'shared')) return false
  return lease.keys.some((key) => wish.keys.some((wanted) => keysOverlap(key, wanted)))
}

function foldTaken(leases: Leases, record: Taken): boolean {
  const { id, lease, keys, mode, at, until, reason, fence, from, replaces } = record
  if (lease !== id || fence !== leases.fence + 1 || leases.current.has(id)) return false
  const standing = [...leases.current.values()]
  const replaced = standing.filter(({ head }) => replaces.includes(head))
  if (replaced.length !== replaces.length) return false
  if (standing.some((other) => !replaces.includes(other.head) && isInTheWay(other, record))) return false
  for (const other of replaced) end(leases, other, { how: 'replaced', by: from })
  leases.current.set(id, { id, holder: from, keys, mode, at, until, reason, fence, head: id })
  leases.fence = fence
  return true
}

/**
 * A checkpoint says what stood just before it, so that nobody has to read further back. It was made from all that was
 * in the file when it begins at the very place where that ended.
 */
function foldCheckpoint(
  leases: Leases,
  { from, offset: expected, fence, leases: standing }: Checkpoint,
  offset: number,
): boolean {
  if (offset !== expected) return false
  const kept = new Set(standing.map((lease) => lease.id))
  for (const lease of [...leases.current.values()])
    if (!kept.has(lease.id)) end(leases, lease, { how: 'forgotten', by: from })
  leases.current.clear()
  for (const lease of standing) leases.current.set(lease.id, lease)
  leases.fence = fence
  return true
}

function end(leases: Leases, lease: Lease, ending: Ending): void {
  leases.current.delete(lease.id)
  leases.ended.set(lease.id, ending)
}
