// Questions that rules for Python ask about a node.

import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, findEnclosing, isKind } from '../../syntax/shape.ts'

/** The two sides and the operator of a comparison; nothing for a chain such as `a < b < c`. */
export function simpleComparison(node: Node): { left: Node; operator: Node; right: Node } | undefined {
  const [left, operator, right, more] = node.children()
  if (!left || !operator || !right || more) return undefined
  return { left, operator, right }
}

/** Whether only the truth of the expression matters: a test, alone or below `and`, `or`, `not` and brackets. */
export function isCondition(node: Node): boolean {
  const parent = node.parent()
  if (isKind(parent, 'boolean_operator', 'not_operator', 'parenthesized_expression')) return isCondition(parent)
  if (isKind(parent, 'if_statement', 'elif_clause', 'while_statement'))
    return parent.field('condition')?.id() === node.id()
  if (isKind(parent, 'conditional_expression')) return parent.namedChildren()[1]?.id() === node.id()
  return isKind(parent, 'if_clause', 'assert_statement')
}

/** The value of a keyword argument of a call. */
export function findKeyword(call: Node, name: string): Node | undefined {
  const keyword = argumentsOf(call).find(
    (argument) => isKind(argument, 'keyword_argument') && argument.field('name')?.text() === name,
  )
  return keyword?.field('value') ?? undefined
}

/** The function whose code the node belongs to, if it is in one. */
export function findFunction(node: Node): Node | undefined {
  return findEnclosing(node, ['function_definition'], ['lambda'])
}
