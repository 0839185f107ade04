/** Sets of numbers below `size` that only ever grow together; the least number of a set names it. */
export type Union = { join(a: number, b: number): void; rootOf(a: number): number }

export function startUnion(size: number): Union {
  const parents = Int32Array.from({ length: size }, (_, index) => index)
  const rootOf = (a: number): number => {
    let root = a
    for (let next = parents[root] ?? root; next !== root; next = parents[root] ?? root) root = next
    for (let at = a; at !== root; ) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  const join = (a: number, b: number) => {
    const [x, y] = [rootOf(a), rootOf(b)]
    if (x !== y) parents[Math.max(x, y)] = Math.min(x, y)
  }
  return { join, rootOf }
}
