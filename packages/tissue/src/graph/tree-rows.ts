// The lines of a tree, and what is left out of it.
import type { Branch, Forest } from './tree-grow.ts'

/** A line: an issue, or how many are left out here. `indent` is what stands before it, box characters and all. */
export type Row = { readonly indent: string; readonly id: string; readonly above: string | undefined } | Cut
type Cut = { readonly indent: string; readonly left: number }

type Item = Branch & { readonly above: string | undefined; readonly isChained: boolean }
type Bounds = { readonly depth: number; readonly limit: number }

/**
 * The rows of a forest, at most `depth` levels deep and with at most `limit` issues: those near the roots first. A row
 * of issues each of which only the next waits for stays at one level, so that a long one is not a staircase.
 */
export function layRows(forest: Forest, bounds: Bounds): Row[] {
  const roots = chained(forest, forest.roots.map(rootItem))
  const shown = choose(forest, roots, bounds)
  const sizes = sizesOf(forest)
  const rows: Row[] = []
  const stack: (Row & { items?: Item[]; inner?: string })[] = []
  const push = (items: readonly Item[], inner: string, isRoot: boolean) => {
    const left = items.filter(({ id }) => !shown.has(id)).reduce((sum, { id }) => sum + ownSize(forest, sizes, id), 0)
    const there = items.filter(({ id }) => shown.has(id))
    const last = there.length - 1
    const lines = there.map(({ id, above, kind, isChained }, index) => {
      const isLast = index === last && left === 0
      const mark = isChained ? '↓ ' : kind === 'parent' ? '─ ' : '→ '
      if (isRoot) return { indent: isChained ? mark : '', id, above, inner: '' }
      const indent = `${inner}${isLast ? '└' : '├'}${mark}`
      return { indent, id, above, inner: `${inner}${isLast ? '   ' : '│  '}` }
    })
    if (left > 0) stack.push({ indent: isRoot ? '' : `${inner}└─ `, left })
    stack.push(...lines.reverse())
  }
  push(roots, '', true)
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ('left' in next) {
      rows.push({ indent: next.indent, left: next.left })
      continue
    }
    const { indent, id, above, inner = '' } = next
    rows.push({ indent, id, above })
    push(itemsBelow(forest, id), inner, false)
  }
  return rows
}

function rootItem(id: string): Item {
  return { id, kind: 'parent', above: undefined, isChained: false }
}

/** What stands below an issue, unless it is the one follower that stands beside it. */
function itemsBelow(forest: Forest, id: string): Item[] {
  if (followerOf(forest, id)) return []
  const items = (forest.below.get(id) ?? []).map((branch) => ({ ...branch, above: id, isChained: false }))
  return chained(forest, items)
}

/** The only issue below this one, when it is no part of it. */
function followerOf(forest: Forest, id: string): Branch | undefined {
  const [first, ...more] = forest.below.get(id) ?? []
  return more.length === 0 && first?.kind !== 'parent' ? first : undefined
}

function chained(forest: Forest, items: readonly Item[]): Item[] {
  return items.flatMap((item) => {
    const chain: Item[] = [item]
    for (let next = followerOf(forest, item.id); next; next = followerOf(forest, next.id)) {
      chain.push({ ...next, above: chain.at(-1)?.id, isChained: true })
    }
    return chain
  })
}

/** The issues that are shown: level by level, until there are enough. */
function choose(forest: Forest, roots: readonly Item[], { depth, limit }: Bounds): Set<string> {
  const shown = new Set<string>()
  let level = roots
  for (let number = 0; number < depth && level.length > 0; number += 1) {
    for (const { id } of level) {
      if (shown.size >= limit) return shown
      shown.add(id)
    }
    level = level.flatMap(({ id }) => itemsBelow(forest, id))
  }
  return shown
}

/** How many issues stand at and below each. */
function sizesOf(forest: Forest): Map<string, number> {
  const order = [...forest.roots]
  for (const id of order) order.push(...(forest.below.get(id) ?? []).map((branch) => branch.id))
  const sizes = new Map<string, number>()
  for (const id of order.reverse()) {
    const below = forest.below.get(id) ?? []
    sizes.set(
      id,
      below.reduce((sum, branch) => sum + (sizes.get(branch.id) ?? 0), 1),
    )
  }
  return sizes
}

/** Issues of a chain stand side by side, so that each counts for itself there. */
function ownSize(forest: Forest, sizes: ReadonlyMap<string, number>, id: string): number {
  return followerOf(forest, id) ? 1 : (sizes.get(id) ?? 0)
}
