/** Which means found where a text may be cut: its syntax tree, its own layout, its lines, or none of them. */
export type CutBy = 'ast' | 'text' | 'hard'

/**
 * A piece of a text from `start` to before `end`, in UTF-16 units. Its parts lie side by side and cover it; one that
 * cannot be cut has none.
 */
export type Block = {
  start: number
  end: number
  by: CutBy
  parts: () => readonly Block[]
  /** The signature that its parts stand below: of a class, a function; a heading. */
  scope?: () => string | undefined
}

/** Cuts a stretch at some of its offsets: those that are no offset inside it are passed over. */
export function cutAt(start: number, end: number, cuts: Iterable<number>): readonly [number, number][] {
  const pieces: [number, number][] = []
  let from = start
  for (const cut of cuts) {
    if (cut <= from || cut >= end) continue
    pieces.push([from, cut])
    from = cut
  }
  return [...pieces, [from, end]]
}
