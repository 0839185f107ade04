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

/**
 * Whether a string is put together from parts of which one at least is not known: a template or a sum with a name in
 * it.
 */
export function isBuiltString(node: Node | undefined): boolean {
  if (isKind(node, 'template_string')) {
    return node.namedChildren().some((child) => isKind(child, 'template_substitution') && !isConstantPart(child))
  }
  if (!isKind(node, 'binary_expression') || operatorOf(node) !== '+') return false
  const parts = sumParts(node)
  return parts.some((part) => isKind(part, 'string', 'template_string')) && !parts.every(isConstantPart)
}

function sumParts(node: Node): readonly Node[] {
  const parts: Node[] = []
  let rest: Node | null = node
  while (isKind(rest, 'binary_expression') && operatorOf(rest) === '+') {
    const right = rest.field('right')
    if (right !== null) parts.push(right)
    rest = rest.field('left')
  }
  if (rest !== null) parts.push(rest)
  return parts
}

function isConstantPart(node: Node): boolean {
  if (isKind(node, 'string', 'number')) return true
  const inner = isKind(node, 'template_substitution') ? (node.namedChildren()[0] ?? node) : node
  return isKind(inner, 'number', 'string') || /^[A-Z][A-Z0-9_]*$/.test(inner.text()) || inner.text() === '__dirname'
}
