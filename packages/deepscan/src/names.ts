import type { Family } from './language.ts'
import type { Node } from './syntax.ts'

const nameKinds: Record<Family, readonly string[]> = {
  javascript: ['identifier', 'shorthand_property_identifier_pattern'],
  python: ['identifier'],
}

/** Finds the uses of a name in a tree. The tree is searched once, at the first question, however many follow. */
export function indexNames(root: Node, family: Family): (name: string) => readonly Node[] {
  let uses: Map<string, Node[]> | undefined
  return (name) => {
    uses ??= collectNames(root, family)
    return uses.get(name) ?? []
  }
}

function collectNames(root: Node, family: Family): Map<string, Node[]> {
  const uses = new Map<string, Node[]>()
  for (const node of root.findAll({ rule: { any: nameKinds[family].map((kind) => ({ kind })) } })) {
    const name = node.text()
    const known = uses.get(name)
    if (known === undefined) uses.set(name, [node])
    else known.push(node)
  }
  return uses
}
