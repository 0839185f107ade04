// Which issues a tree shows, and how they hang together.
import type { DepKind } from '../log/event-schema.ts'
import type { Graph } from './graph.ts'
import { growForest } from './tree-grow.ts'
import { layRows, type Row } from './tree-rows.ts'
import { ancestorsOf, linksOf } from './waiting.ts'

/** What of the graph is asked for. */
export type TreeQuery = {
  readonly root: string | undefined
  readonly kinds: readonly DepKind[]
  readonly up: boolean
  readonly all: boolean
  readonly depth: number
  readonly limit: number
}

/** The rows of a tree. Issues that are over are left out unless they are asked for or have open parts. */
export function treeRows(graph: Graph, query: TreeQuery): Row[] {
  const deps = graph.deps.filter(({ kind }) => query.kinds.includes(kind))
  const { parents } = linksOf(deps)
  const wanted = new Set(query.root === undefined ? [] : [query.root])
  for (const { id } of graph.issues) {
    if (!query.all && graph.isOver(id)) continue
    wanted.add(id)
    for (const ancestor of ancestorsOf(parents, id)) wanted.add(ancestor)
  }
  const ids = graph.issues.map(({ id }) => id).filter((id) => wanted.has(id))
  return layRows(growForest(deps, { ids, root: query.root, up: query.up }), query)
}
