// A graph of links as a forest: each issue has one place in it, however many links it has.
import type { Dep, DepKind } from '../schema/event-schema.ts'
import { isPartOf, linksOf } from './waiting.ts'

/** An issue below another, and the link that put it there. */
export type Branch = { readonly id: string; readonly kind: DepKind }

/** Where to begin, and what stands below each issue. */
export type Forest = { readonly roots: readonly string[]; readonly below: ReadonlyMap<string, readonly Branch[]> }

type Wanted = {
  /** The issues to place, in the order in which those side by side are to stand. */
  readonly ids: readonly string[]
  /** The one root; without it, every issue that stands below no other. */
  readonly root: string | undefined
  /** Turned around: what an issue waits for and is a part of stands below it. */
  readonly up: boolean
}

/** Kinds of which the later end stands above: what was there first. */
const backwards: readonly DepKind[] = ['discovered-from', 'duplicates', 'caused-by']

/**
 * Places issues below each other along links: parts below their parent, and those that have none below the first issue
 * they wait for. What is on a circle begins where its first issue is. Each link is followed once.
 */
export function growForest(deps: readonly Dep[], { ids, root, up }: Wanted): Forest {
  const below = branchesOf(deps, ids, up)
  const reached = reachFrom(root === undefined ? ids : [root], below)
  const hasParent = new Set([...reached].flatMap((id) => partsOf(below.get(id))))
  const isPlaceless = new Set(reached)
  for (const id of reached) for (const branch of below.get(id) ?? []) isPlaceless.delete(branch.id)
  const starts = root === undefined ? [...isPlaceless, ...ids] : [root]
  const placed = new Map<string, Branch[]>()
  const roots: string[] = []
  for (const start of starts) {
    if (placed.has(start)) continue
    roots.push(start)
    const stack: (Branch & { above?: string })[] = [{ id: start, kind: 'parent' }]
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { id, kind, above } = next
      if (placed.has(id)) continue
      placed.set(id, [])
      if (above !== undefined) placed.get(above)?.push({ id, kind })
      for (const branch of [...(below.get(id) ?? [])].reverse()) {
        const isElsewhere = !up && branch.kind !== 'parent' && hasParent.has(branch.id)
        if (!isElsewhere && !placed.has(branch.id)) stack.push({ ...branch, above: id })
      }
    }
  }
  return { roots, below: placed }
}

/** What stands below each issue, its parts first. */
function branchesOf(deps: readonly Dep[], ids: readonly string[], up: boolean): Map<string, Branch[]> {
  const order = new Map(ids.map((id, index) => [id, index]))
  const below = new Map<string, Branch[]>()
  const { parents } = linksOf(deps)
  for (const { kind, from, to } of deps) {
    if (!order.has(from) || !order.has(to)) continue
    // An issue that waits for its own part stands above it all the same.
    if (!up && kind === 'blocks' && isPartOf(parents, from, to)) continue
    const [upper, lower] = backwards.includes(kind) === up ? [from, to] : [to, from]
    const known = below.get(upper)
    if (known) known.push({ id: lower, kind })
    else below.set(upper, [{ id: lower, kind }])
  }
  const rank = ({ id, kind }: Branch) => (kind === 'parent' ? 0 : order.size) + (order.get(id) ?? 0)
  for (const branches of below.values()) branches.sort((a, b) => rank(a) - rank(b))
  return below
}

function partsOf(branches: readonly Branch[] = []): string[] {
  return branches.filter(({ kind }) => kind === 'parent').map(({ id }) => id)
}

function reachFrom(starts: readonly string[], below: ReadonlyMap<string, readonly Branch[]>): Set<string> {
  const reached = new Set(starts)
  for (const id of reached) for (const branch of below.get(id) ?? []) reached.add(branch.id)
  return reached
}
