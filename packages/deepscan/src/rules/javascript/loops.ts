import { endOf, type Rule, replaceNode, replaceRange, startOf } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, contains, findEnclosing, isKind, isPlainReference, operatorOf } from '../../syntax/shape.ts'
import { isSurelyArray } from './array-evidence.ts'
import { functionKinds } from './shape.ts'

const offByOne: Rule = {
  id: 'js/off-by-one',
  fired: 'public applications: `i <= items.length` with `items[i].price`',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'The loop reads one element past the end',
  message: 'Indexes run from 0 to length - 1; at `i <= length` the last round reads an element that does not exist.',
  mentions: /length/,
  matcher: { kind: 'for_statement', has: { field: 'condition', regex: '<=\\s*[\\w$.]+\\.length$' } },
  accepts: (match) => {
    const condition = match.field('condition')
    if (condition === null || operatorOf(condition) !== '<=') return false
    const [index, list] = [condition?.field('left'), condition?.field('right')?.field('object')]
    const body = match.field('body')
    if (!isKind(index, 'identifier') || !list || !isPlainReference(list) || body === null) return false
    return startsAtZero(match, index.text()) && usesPastTheEnd(body, list.text(), index.text())
  },
  anchor: (match) => match.field('condition') ?? match,
  rewrite: (match) => {
    const operator = match.field('condition')?.field('operator')
    return operator ? [replaceNode(operator, '<')] : undefined
  },
  safety: 'safe',
  proof: 'The index starts at 0, the body uses the element and never asks whether it is there.',
}

function startsAtZero(loop: Node, index: string): boolean {
  const declarations = loop.field('initializer')?.namedChildren() ?? []
  return declarations.some((child) => child.field('name')?.text() === index && child.field('value')?.text() === '0')
}

/** Whether the body works with `list[index]` as with an element, and never looks whether it is there. */
function usesPastTheEnd(body: Node, list: string, index: string): boolean {
  const uses = body.findAll({ rule: { kind: 'subscript_expression' } }).filter((node) => {
    return node.field('object')?.text() === list && node.field('index')?.text() === index
  })
  if (uses.length === 0 || !uses.every(isUsedAsElement)) return false
  if (/\bundefined\b|\?\.|\?\?|\.length\b/.test(body.text())) return false
  const comparisons = body.findAll({ rule: { kind: 'binary_expression' } })
  return !comparisons.some((node) => [node.field('left')?.text(), node.field('right')?.text()].includes(index))
}

function isUsedAsElement(use: Node): boolean {
  const parent = use.parent()
  if (isKind(parent, 'member_expression', 'subscript_expression')) return parent.field('object')?.id() === use.id()
  if (isKind(parent, 'augmented_assignment_expression')) return parent.field('right')?.id() === use.id()
  if (isKind(parent, 'binary_expression')) return ['+', '-', '*', '/'].includes(parent.field('operator')?.text() ?? '')
  return false
}

const asyncForeach: Rule = {
  id: 'js/async-foreach',
  fired: 'public applications: `paths.forEach(async` before what needs its result',
  known: ['no-misused-promises', 'no-async-foreach', 'no-array-for-each', 'noForEach'],
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'reliability',
  title: 'forEach does not wait for an async callback',
  message:
    'forEach drops the promises of its callback: what follows runs before they are done, and a ' +
    'rejection is never handled.',
  mentions: /forEach\s*\(\s*async/,
  calls: ['*.forEach'],
  accepts: (match) => {
    const [callback, more] = argumentsOf(match)
    // Where the result is used, it is no array's: that gives none.
    const isUsed = !isKind(match.parent(), 'expression_statement', 'arrow_function')
    return (
      !isUsed &&
      more === undefined &&
      isKind(callback, 'arrow_function', 'function_expression') &&
      isAsync(callback) &&
      contains(callback, 'await_expression')
    )
  },
  anchor: (match) => match.field('function') ?? match,
  rewrite: (match, context) => {
    const list = match.field('function')?.field('object') ?? null
    const [callback, statement] = [argumentsOf(match)[0], match.parent()]
    if (
      list === null ||
      callback === undefined ||
      !isKind(statement, 'expression_statement') ||
      !isSurelyArray(list, context)
    )
      return undefined
    const body = callback.field('body')
    const name = parameterName(callback)
    if (!isKind(body, 'statement_block') || name === undefined || !canBecomeLoop(callback, body)) return undefined
    const caller = findEnclosing(match, functionKinds)
    if (caller === undefined || !isAsync(caller)) return undefined
    return [
      replaceRange(startOf(statement), startOf(body), `for (const ${name} of ${list.text()}) `),
      replaceRange(endOf(body), endOf(statement), ''),
    ]
  },
  safety: 'offer',
  proof: 'Whether the rounds may run one after the other; they ran side by side.',
}

function isAsync(node: Node): boolean {
  return node.children().some((child) => String(child.kind()) === 'async')
}

function parameterName(callback: Node): string | undefined {
  const single = callback.field('parameter')
  if (single) return single.text()
  const [first, ...more] = callback.field('parameters')?.namedChildren() ?? []
  if (first === undefined || more.length > 0) return undefined
  const name = isKind(first, 'required_parameter') && first.field('value') === null ? first.field('pattern') : first
  return isKind(name, 'identifier', 'object_pattern', 'array_pattern') ? name.text() : undefined
}

/** A `return` would leave the caller instead of the round, and only an arrow function shares the caller's `this`. */
function canBecomeLoop(callback: Node, body: Node): boolean {
  return isKind(callback, 'arrow_function') && !contains(body, 'return_statement')
}

export const jsLoops: readonly Rule[] = [offByOne, asyncForeach]
