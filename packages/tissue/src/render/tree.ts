// A tree as lines for people.

import { inRow } from '@switchyard/cli-kit/in-row'
import { renderProgress } from '../graph/progress.ts'
import type { Row } from '../graph/tree-rows.ts'
import type { GraphNode, Tree } from '../schema/graph-schemas.ts'
import { oneLine } from './marks.ts'

const blockersShownMax = 3

/** The rows of a tree as text. `nameOf` gives the short form of an id. */
export function renderTree(rows: readonly Row[], nodes: Tree['nodes'], nameOf: (id: string) => string): string {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return rows
    .map((row) => {
      if ('left' in row) return `${row.indent}… ${row.left} more`
      const node = byId.get(row.id)
      return row.indent + (node ? renderNode(node, nameOf) : inRow(row.id))
    })
    .join('\n')
}

/** `auth-k3vd  P1  ready  Fix login  @ada  3/7 done 42%  waits for auth-x9qa`. */
function renderNode(node: Tree['nodes'][number], nameOf: (id: string) => string): string {
  const { short, priority, state, title, by, progress } = node
  const parts = [short, `P${priority}`, state, oneLine(title)]
  if (by !== undefined) parts.push(`@${by}`)
  if (progress) parts.push(renderProgress(progress))
  const waits = waitsText(node, nameOf)
  if (waits) parts.push(waits)
  return inRow(parts.join('  '))
}

/** What an issue waits for beside the one below which it stands. */
function waitsText({ waits_for, above }: GraphNode & { above?: string | undefined }, nameOf: (id: string) => string) {
  const others = waits_for.filter((id) => id !== above)
  if (others.length === 0) return undefined
  const shown = others.slice(0, blockersShownMax).map(nameOf).join(', ')
  const more = others.length - blockersShownMax
  return `waits for ${shown}${more > 0 ? ` +${more}` : ''}`
}
