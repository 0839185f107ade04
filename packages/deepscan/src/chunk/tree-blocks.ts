import type { Node } from '../syntax/parser.ts'
import type { Block } from './block.ts'
import { layoutBlock } from './layout-blocks.ts'

/** Deeper nodes are cut by their layout. */
const depthMax = 200

/** A longer signature is cut here. */
const scopeUnitsMax = 200

type Source = { text: string; sliceUnits: number }

/** A text that is cut between the nodes of its syntax tree, as deep as it must. */
export function treeBlock(root: Node, text: string, sliceUnits: number): Block {
  return nodesBlock([root], [0, text.length], { text, sliceUnits }, 0)
}

type Stretch = readonly [start: number, end: number]
type Group = { nodes: Node[]; start: number; end: number }

/** Nodes that stay together if they can. */
function nodesBlock(nodes: readonly Node[], stretch: Stretch, source: Source, depth: number): Block {
  const [start, end] = stretch
  const only = nodes.length === 1 ? nodes[0] : undefined
  const parts = () => {
    const groups = only === undefined ? nodes.map(groupOf) : groupNodes(only.children(), source.text)
    if (groups.length === 0 || depth >= depthMax) return [layoutBlock(source.text, start, end, source.sliceUnits)]
    return between(groups, stretch, source.text).map((group) =>
      nodesBlock(group.nodes, [group.start, group.end], source, depth + 1),
    )
  }
  return { start, end, by: 'ast', parts, scope: () => only && signatureOf(only, source.text) }
}

function groupOf(node: Node): Group {
  const { start, end } = node.range()
  return { nodes: [node], start: start.index, end: end.index }
}

/** What stands above a declaration and belongs to it. */
const above = /comment|^attribute_item$|^decorator$|^attribute_list$/

/** A sign that closes or separates stays with what it closes. */
const closing = /^[,;:)\]}]+$/

/**
 * Children in groups that stay together if they can: a declaration with the comments and attributes right above it, a
 * sign behind it, and a comment at the end of its line.
 */
function groupNodes(children: readonly Node[], text: string): readonly Group[] {
  const groups: Group[] = []
  let isOpen = false
  for (const group of children.map(groupOf).filter(({ start, end }) => end > start)) {
    const last = groups.at(-1)
    const isAbove = above.test(String(group.nodes[0]?.kind()))
    const lineEnds = last === undefined ? 2 : (text.slice(last.end, group.start).match(/\n/g)?.length ?? 0)
    const isBehind =
      (isAbove && lineEnds === 0) || (group.end - group.start < 4 && closing.test(text.slice(group.start, group.end)))
    if (last !== undefined && (isBehind || (isOpen && lineEnds < 2))) {
      last.nodes.push(...group.nodes)
      last.end = group.end
      isOpen &&= isAbove
    } else {
      groups.push(group)
      isOpen = isAbove
    }
  }
  return groups
}

/** Groups that cover the stretch: cut at the start of the line that a group begins on, where it begins its line. */
function between(groups: readonly Group[], [start, end]: Stretch, text: string): readonly Group[] {
  const covering: Group[] = []
  for (const group of groups) {
    const last = covering.at(-1)
    const lineEnd = last === undefined ? -1 : text.slice(last.end, group.start).lastIndexOf('\n')
    const cut = last === undefined ? start : lineEnd < 0 ? group.start : last.end + lineEnd + 1
    if (last === undefined || cut <= last.start || cut >= end) {
      if (last === undefined) covering.push({ ...group, start })
      else last.nodes.push(...group.nodes)
      continue
    }
    last.end = cut
    covering.push({ ...group, start: cut, end: Math.max(group.end, cut) })
  }
  const last = covering.at(-1)
  if (last !== undefined) last.end = end
  return covering
}

/** What stands before the body of a declaration, on one line; nothing for a node without a body. */
function signatureOf(node: Node, text: string): string | undefined {
  const body = node.field('body')
  if (body === null) return undefined
  const signature = text.slice(node.range().start.index, body.range().start.index).replace(/\s+/g, ' ').trim()
  return signature.length > scopeUnitsMax ? `${signature.slice(0, scopeUnitsMax)}…` : signature
}
