// Questions that rules for JavaScript and TypeScript ask about a node.

import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, isKind, operatorOf } from '../../syntax/shape.ts'

export const functionKinds = [
  'arrow_function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'generator_function_declaration',
  'method_definition',
  'class_static_block',
] as const

/**
 * Whether only the truth of the expression matters: the test of an `if`, a loop or a ternary, alone or below `&&`,
 * `||` and brackets.
 */
export function isCondition(node: Node): boolean {
  const parent = node.parent()
  if (isKind(parent, 'ternary_expression')) return parent.field('condition')?.id() === node.id()
  if (isKind(parent, 'binary_expression')) return ['&&', '||'].includes(operatorOf(parent)) && isCondition(parent)
  if (!isKind(parent, 'parenthesized_expression')) return false
  const statement = parent.parent()
  return isKind(statement, 'if_statement', 'while_statement', 'do_statement') || isCondition(parent)
}

/** Whether the node is a string, a number, `true`, `false`, `null` or `undefined` as it stands. */
export function isLiteral(node: Node | null): boolean {
  return isKind(node, 'string', 'number', 'true', 'false', 'null', 'undefined')
}

/** The length given to `Array(n)` or `new Array(n)`, when the node is such a call with one argument. */
export function findArrayLength(node: Node | null): Node | undefined {
  if (!isKind(node, 'new_expression', 'call_expression')) return undefined
  const callee = node.field(isKind(node, 'new_expression') ? 'constructor' : 'function')
  if (callee?.text() !== 'Array') return undefined
  const [length, ...more] = argumentsOf(node)
  return length === undefined || more.length > 0 || isKind(length, 'spread_element') ? undefined : length
}

/** The text inside the quotes of a string literal, escapes as they are written. */
export function stringContent(node: Node | null): string | undefined {
  return isKind(node, 'string') ? node.text().slice(1, -1) : undefined
}
