// Which issues a tree shows, and how they hang together.

import { growForest } from '../graph/tree-grow.ts'
import { layRows, type Row } from '../graph/tree-rows.ts'
import { linksOf } from '../graph/waiting.ts'
import type { DepKind } from '../schema/event-schema.ts'
import type { Graph } from './graph.ts'

/** Which part of the graph is asked for. */
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
  const wanted = new Set(graph.issues.flatMap(({ id }) => (!query.all && graph.isOver(id) ? [] : id)))
  for (const id of wanted) for (const parent of parents.get(id) ?? []) wanted.add(parent)
  if (query.root !== undefined) wanted.add(query.root)
  const ids = graph.issues.map(({ id }) => id).filter((id) => wanted.has(id))
  return layRows(growForest(deps, { ids, root: query.root, up: query.up }), query)
}
