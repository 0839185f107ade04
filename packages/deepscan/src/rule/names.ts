import type { Node } from '../syntax/parser.ts'

const kinds = ['identifier', 'shorthand_property_identifier', 'shorthand_property_identifier_pattern']

/** The kinds of node by which a grammar writes a name. */
const kindsByGrammar = (language: string): readonly string[] =>
  ['python', 'go'].includes(language) ? ['identifier'] : kinds

/** Finds the uses of a name in a tree, in order; the tree is searched once a name. */
export function indexNames(root: Node, language: string): (name: string) => readonly Node[] {
  const known = new Map<string, readonly Node[]>()
  return (name) => {
    let uses = known.get(name)
    if (uses === undefined) {
      const regex = `^${name.replace(/[^\w]/g, '\\$&')}$`
      uses = root.findAll({ rule: { any: kindsByGrammar(language).map((kind) => ({ kind })), regex } })
      known.set(name, uses)
    }
    return uses
  }
}
