// A value that several clones may write: the last write by (seq, id) wins, and writes that did not see each other stay
// side by side as rivals. The outcome is a function of the set of writes, whatever their order.

/** Where a write stands among all others: by `seq`, and by `id` between writers that did not see each other. */
export type Stamp = { readonly seq: number; readonly id: string }

/**
 * One write; `replaces` names the writes of the same value that its writer saw and overwrote. One that `isFirst` made
 * the thing that has the value: whoever writes it again has seen that.
 */
export type Write<T> = Stamp & {
  readonly value: T
  readonly replaces?: readonly string[] | undefined
  readonly isFirst?: boolean
}

/**
 * The winning write. `rivals` are others that nobody has overwritten; `replaced` are writes known to be overwritten
 * that are not rivals; writes below `floor` were seen by one that named none.
 */
export type Register<T> = Stamp & {
  readonly value: T
  readonly isFirst?: boolean
  readonly rivals?: readonly (Stamp & { readonly value: T })[]
  readonly replaced?: readonly string[]
  readonly floor?: number
}

/** Whether `a` wins over `b`. */
export function isLater(a: Stamp, b: Stamp | undefined): boolean {
  return b === undefined || a.seq > b.seq || (a.seq === b.seq && a.id > b.id)
}

/** The register after one more write, where what lost need not be seen: sets and settings. */
export function writeLast<T>(old: Register<T> | undefined, by: Contender, value: T): Register<T> {
  if (old !== undefined && !wins(by, old)) return old
  const { seq, id, isFirst } = by
  return isFirst ? { seq, id, value, isFirst } : { seq, id, value }
}

/** A write as it stands beside another; one that `isFirst` made the thing that has the value. */
export type Contender = Stamp & { readonly isFirst?: boolean }

/** Who made the thing gives way to whoever wrote on top of it; of two who made the same thing the earlier counts. */
function wins(a: Contender, b: Contender): boolean {
  if (Boolean(a.isFirst) !== Boolean(b.isFirst)) return !a.isFirst
  return a.isFirst ? isLater(b, a) : isLater(a, b)
}

/** The register after one more write. */
export function write<T>(old: Register<T> | undefined, next: Write<T>): Register<T> {
  const { seq, replaces } = next
  if (isPlainSuccessor(old, next)) return placed(next)
  const floor = replaces === undefined ? Math.max(old?.floor ?? 0, seq) : old?.floor
  if (old === undefined) return compact(placed(next), [], replaces ?? [], floor)
  const replaced = [...(old.replaced ?? []), ...(replaces ?? [])]
  const isHead = (one: Placed<T>) => one.seq >= (floor ?? 0) && !one.isFirst && !replaced.includes(one.id)
  const isWinner = wins(next, old)
  const rivals = [...(old.rivals ?? []), placed(isWinner ? old : next)]
  const gone = new Set(rivals.filter((rival) => !isHead(rival)).map((rival) => rival.id))
  return compact(
    placed(isWinner ? next : old),
    rivals.filter(isHead),
    replaced.filter((one) => !gone.has(one)),
    floor,
  )
}

/** Ids of the writes that one more write, by somebody who has seen the whole log, overwrites. */
export function headsOf<T>(register: Register<T> | undefined): string[] {
  if (register === undefined) return []
  return [register.id, ...(register.rivals ?? []).map(({ id }) => id)]
}

type Placed<T> = Stamp & { readonly value: T; readonly isFirst?: boolean }

function placed<T>({ seq, id, value, isFirst }: Placed<T>): Placed<T> {
  return isFirst ? { seq, id, value, isFirst } : { seq, id, value }
}

/** The usual case: the first write, or one that saw the only one there is. */
function isPlainSuccessor<T>(old: Register<T> | undefined, next: Write<T>): boolean {
  const { replaces } = next
  if (old === undefined) return replaces?.length === 0
  const isPlain = old.rivals === undefined && old.replaced === undefined && old.floor === undefined
  return isPlain && replaces?.length === 1 && replaces[0] === old.id && wins(next, old)
}

function compact<T>(
  winner: Placed<T>,
  rivals: readonly Placed<T>[],
  replaced: readonly string[],
  floor: number | undefined,
): Register<T> {
  return {
    ...winner,
    ...(rivals.length > 0 ? { rivals } : {}),
    ...(replaced.length > 0 ? { replaced } : {}),
    ...(floor === undefined ? {} : { floor }),
  }
}
