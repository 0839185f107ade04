// Walks of a directed graph. No walk enters a node twice, and none recurses: a chain may be as long as the log.

/** Where the edges of a node lead, with what each edge stands for. */
export type Edge<L> = { readonly from: string; readonly to: string; readonly label: L }
/** The edges that leave a node. */
export type Next<L> = (node: string) => readonly Edge<L>[]

/** The edges by the node that they leave. */
export function nextOf<L>(edges: Iterable<Edge<L>>): Map<string, Edge<L>[]> {
  const next = new Map<string, Edge<L>[]>()
  for (const edge of edges) {
    const known = next.get(edge.from)
    if (known) known.push(edge)
    else next.set(edge.from, [edge])
  }
  return next
}

type Visit<L> = {
  readonly node: string
  readonly edges: readonly Edge<L>[]
  at: number
  readonly index: number
  low: number
}

/**
 * Numbers the nodes that can be reached from `starts`: two have the same number when each leads to the other, so an
 * edge is part of a circle when its ends have the same number. (Tarjan's strongly connected components.)
 */
export function componentsOf<L>(starts: Iterable<string>, next: Next<L>): Map<string, number> {
  const components = new Map<string, number>()
  const indexes = new Map<string, number>()
  const undecided: string[] = []
  const trail: Visit<L>[] = []
  const enter = (node: string) => {
    const index = indexes.size
    indexes.set(node, index)
    undecided.push(node)
    trail.push({ node, edges: next(node), at: 0, index, low: index })
  }
  const leave = ({ node, index, low }: Visit<L>) => {
    const above = trail.at(-1)
    if (above) above.low = Math.min(above.low, low)
    if (low !== index) return
    for (let member = undecided.pop(); member !== undefined; member = undecided.pop()) {
      components.set(member, index)
      if (member === node) return
    }
  }
  for (const start of starts) {
    if (!indexes.has(start)) enter(start)
    for (let here = trail.at(-1); here; here = trail.at(-1)) {
      const edge = here.edges[here.at]
      here.at += 1
      const seen = edge && indexes.get(edge.to)
      if (!edge) {
        trail.pop()
        leave(here)
      } else if (seen === undefined) enter(edge.to)
      else if (!components.has(edge.to)) here.low = Math.min(here.low, seen)
    }
  }
  return components
}

/** The edges of a shortest way from one node to another: none when they are the same, undefined without a way. */
export function wayBetween<L>(from: string, to: string, next: Next<L>): Edge<L>[] | undefined {
  const cameBy = new Map<string, Edge<L> | undefined>([[from, undefined]])
  for (const here of cameBy.keys()) {
    if (here === to) return walkBack(cameBy, to)
    for (const edge of next(here)) if (!cameBy.has(edge.to)) cameBy.set(edge.to, edge)
  }
  return undefined
}

function walkBack<L>(cameBy: ReadonlyMap<string, Edge<L> | undefined>, end: string): Edge<L>[] {
  const way: Edge<L>[] = []
  for (let edge = cameBy.get(end); edge; edge = cameBy.get(edge.from)) way.push(edge)
  return way.reverse()
}
