// Whether one node fits a matcher. All rules share one native search; which of them a node was found for is told here.
import type { Matcher, Node } from '../syntax/parser.ts'

const kept = new Map<string, RegExp>()

/** Simple matchers are judged here; what asks for more is asked of the native parser. */
export function fits(node: Node, matcher: Matcher): boolean {
  const known = Object.entries(matcher).every(([key, value]) => value === undefined || simple.has(key))
  return known ? fitsHere(node, matcher) : node.matches({ rule: matcher })
}

const simple = new Set(['kind', 'any', 'all', 'not', 'regex', 'has', 'field'])

function fitsHere(node: Node, { kind, regex, any, all, not, has }: Matcher): boolean {
  if (kind !== undefined && node.kind() !== kind) return false
  if (regex !== undefined && !compile(String(regex)).test(node.text())) return false
  if (any?.some((each) => fits(node, each)) === false) return false
  if (all?.every((each) => fits(node, each)) === false) return false
  if (not !== undefined && fits(node, not)) return false
  return has === undefined || fitsChild(node, has as Matcher & { field?: string })
}

function fitsChild(node: Node, has: Matcher & { field?: string }): boolean {
  const children = has.field === undefined ? node.children() : [node.field(has.field)].flatMap((child) => child ?? [])
  return children.some((child) => fits(child, has))
}

function compile(source: string): RegExp {
  let pattern = kept.get(source)
  if (pattern === undefined) {
    pattern = new RegExp(source, 'u')
    kept.set(source, pattern)
  }
  return pattern
}
