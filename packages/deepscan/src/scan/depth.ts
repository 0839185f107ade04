import type { Matcher, Node } from '../syntax/parser.ts'

/**
 * Deeper trees are not scanned: a node's ancestors are found from the root, so that rules on a deep tree take time by
 * its square. Written code stays below a tenth of this.
 */
const depthMax = 1_000

/** Nodes that only wrap another have its length, but there are never this many in a row. */
const wrappersMax = 4

/** Asks the native parser for a node this far down; most trees have none, and are judged at once. */
const probeDepth = 96
const probe = Array.from({ length: probeDepth }).reduce<Matcher>((inner) => ({ has: inner }), { regex: '' })

/**
 * Whether the tree is too deep for rules. Branches too short to reach the limit are not entered.
 */
export function isTooDeep(root: Node): boolean {
  if (!root.matches({ rule: probe })) return false
  const open = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    if (depth >= depthMax) return true
    for (const child of node.children()) {
      const { start, end } = child.range()
      if (end.index - start.index > (depthMax - depth) / wrappersMax) open.push({ node: child, depth: depth + 1 })
    }
  }
  return false
}
