import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { renderDot, renderMermaid } from '../graph/tree-drawing.ts'
import { growForest } from '../graph/tree-grow.ts'
import { layRows, type Row } from '../graph/tree-rows.ts'
import { linksOf } from '../graph/waiting.ts'
import { findIssue, shortNames } from '../issue/issue.ts'
import { parseDepKind } from '../ready/deps.ts'
import { type Graph, graphOf, nodeOf } from '../ready/graph.ts'
import { renderTree } from '../render/tree.ts'
import { depKinds } from '../schema/event.check.ts'
import type { DepKind } from '../schema/event-schema.ts'
import type { Tree } from '../schema/graph-schemas.ts'
import { look, storeFlag } from '../session/session.ts'
import { limitFlag } from '../text/limit.ts'

/** `tissue tree`: issues below what they are a part of or wait for, each once; also as a drawing. */
export const tree = defineVerb({
  summary: 'Draw what issues are a part of and wait for',
  args: [
    { name: 'id', summary: 'The issue at the top; all that stand below no other when it is not given', optional: true },
  ],
  flags: {
    up: { type: 'boolean', summary: 'Turned around: below an issue what it waits for and is a part of' },
    kind: { type: 'list', value: 'KIND', summary: `Along these links; parent and blocks: ${depKinds.join(', ')}` },
    all: { type: 'boolean', short: 'a', summary: 'Closed issues and duplicates too' },
    depth: { type: 'integer', value: 'N', min: 1, max: 100, default: 20, summary: 'At most so many levels' },
    ...limitFlag(200),
    format: { type: 'choice', choices: ['text', 'dot', 'mermaid'], default: 'text', summary: 'Lines or a drawing' },
    ...storeFlag,
  },
  examples: ['tissue tree', 'tissue tree k3vd --up', 'tissue tree --all --format mermaid'],
  run(call) {
    const { args, flags, output } = call
    if (flags.format !== 'text' && output.mode !== 'text')
      throw new Failure('usage', `expected one form of output, got --format ${flags.format} and --${output.mode}`)
    const { ledger } = look(call)
    const now = call.now()
    const graph = graphOf(ledger, now)
    const kinds = flags.kind.length > 0 ? flags.kind.map(parseDepKind) : (['parent', 'blocks'] as const)
    const root = args.id === undefined ? undefined : findIssue(ledger, args.id)
    const rows = treeRows(graph, { ...flags, kinds, root })
    const aboveOf = new Map(rows.flatMap((row) => ('id' in row ? [[row.id, row.above]] : [])))
    const nodes: Tree['nodes'] = graph.issues
      .filter(({ id }) => aboveOf.has(id))
      .map((issue) => ({ ...nodeOf(graph, issue, now), above: aboveOf.get(issue.id) }))
    const left = rows.reduce((sum, row) => sum + ('left' in row ? row.left : 0), 0)
    const links = graph.deps.filter(({ kind, from, to }) => {
      return kinds.some((one) => one === kind) && aboveOf.has(from) && aboveOf.has(to)
    })
    const roots = rows.flatMap((row) => ('id' in row && row.above === undefined ? row.id : []))
    if (flags.format !== 'text') {
      const drawing = flags.format === 'dot' ? renderDot({ nodes, links }) : renderMermaid({ nodes, links })
      // As they are written there, titles could act on a terminal.
      if (output.isTerminal && output.mode === 'text') output.one(drawing, { text: String, id: String })
      else output.raw(drawing)
    } else if (nodes.length === 0 && output.mode === 'text') output.note('no issues')
    else {
      const text = () => renderTree(rows, nodes, shortNames(ledger))
      const record: Tree = { v: 1, roots, nodes, links, left }
      output.one(record, { text, id: () => rows.flatMap((row) => ('id' in row ? row.id : [])) })
    }
    if (left > 0) output.note(`${nodes.length} of ${nodes.length + left} shown; --limit and --depth show more`)
    return undefined
  },
})

/** Which part of the graph is asked for. */
type TreeQuery = {
  readonly root: string | undefined
  readonly kinds: readonly DepKind[]
  readonly up: boolean
  readonly all: boolean
  readonly depth: number
  readonly limit: number
}

/** The rows of a tree. Issues that are over are left out unless they are asked for or have open parts. */
function treeRows(graph: Graph, query: TreeQuery): Row[] {
  const deps = graph.deps.filter(({ kind }) => query.kinds.includes(kind))
  const { parents } = linksOf(deps)
  const wanted = new Set(graph.issues.flatMap(({ id }) => (!query.all && graph.isOver(id) ? [] : id)))
  for (const id of wanted) for (const parent of parents.get(id) ?? []) wanted.add(parent)
  if (query.root !== undefined) wanted.add(query.root)
  const ids = graph.issues.map(({ id }) => id).filter((id) => wanted.has(id))
  return layRows(growForest(deps, { ids, root: query.root, up: query.up }), query)
}
