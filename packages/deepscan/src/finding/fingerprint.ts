import { createHash } from 'node:crypto'
import type { Node } from '../syntax/parser.ts'
import { isKind } from '../syntax/shape.ts'

/** What makes a finding the same one after lines have moved. */
export type Identity = { rule: string; path: string; symbol: string; quote: string }

/** Gives ids of 20 hex digits to the findings of one file, in their order: equal ones differ by their number. */
export function numberIdentities(): (identity: Identity) => string {
  const seen = new Map<string, number>()
  return ({ rule, path, symbol, quote }) => {
    const identity = JSON.stringify([rule, path, symbol, normaliseQuote(quote)])
    const number = seen.get(identity) ?? 0
    seen.set(identity, number + 1)
    return createHash('sha256').update(`${identity}${number}`).digest('hex').slice(0, 20)
  }
}

/** The quote without what a formatter changes. */
export function normaliseQuote(quote: string): string {
  return quote.replace(/\s+/g, ' ').trim()
}

const symbolKinds = [
  'function_declaration',
  'generator_function_declaration',
  'method_definition',
  'class_declaration',
  'abstract_class_declaration',
  'interface_declaration',
  'internal_module',
  'function_definition',
  'class_definition',
  'variable_declarator',
]

/** The names of the functions, classes and variables around a node, outermost first, joined by dots. */
export function symbolOf(node: Node): string {
  const around = node.ancestors().filter((ancestor) => isKind(ancestor, ...symbolKinds))
  return around
    .map((ancestor) => ancestor.field('name')?.text() ?? '')
    .reverse()
    .join('.')
}
