import {
  type Edit,
  endOf,
  insertAt,
  type Rule,
  replaceNode,
  replaceRange,
  type SourceContext,
  startOf,
} from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, contains, isKind } from '../../syntax/shape.ts'
import { isSurelyArray, isSurelyNumberArray } from './array-evidence.ts'
import { findArrayLength, isCondition } from './shape.ts'

const indexofTruthiness: Rule = {
  id: 'js/indexof-truthiness',
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'correctness',
  title: 'The result of indexOf is used as a yes or no',
  message:
    'indexOf gives -1, which is true, for what is missing, and 0, which is false, for the first ' +
    'place. `includes` gives a yes or no.',
  mentions: /indexOf/,
  matcher: { pattern: '$A.indexOf($B)' },
  accepts: isCondition,
  rewrite: renameToIncludes,
}

const indexofPositive: Rule = {
  id: 'js/indexof-positive',
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'correctness',
  title: 'The first element of the array is not found',
  message:
    '`indexOf(x) > 0` does not hold for the first element, whose index is 0. `includes` asks whether the array has it.',
  mentions: /indexOf/,
  matcher: { pattern: '$A.indexOf($B) > 0' },
  accepts: (match, context) => isSurelyArray(match.getMatch('A'), context),
  rewrite: (match) => {
    const call = match.field('left')
    const edits = call && renameToIncludes(call)
    return edits ? [...edits, replaceRange(endOf(call), endOf(match), '')] : undefined
  },
}

function renameToIncludes(call: Node): readonly Edit[] | undefined {
  const name = call.field('function')?.field('property')
  return name ? [replaceNode(name, 'includes')] : undefined
}

const fillSharedReference: Rule = {
  id: 'js/fill-shared-reference',
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'correctness',
  title: 'Every element is the same object',
  message:
    '`fill` puts one and the same array or object in every place, so a change to one element shows in all of them.',
  mentions: /fill/,
  matcher: { pattern: '$A.fill($V)' },
  accepts: (match) =>
    findArrayLength(match.getMatch('A')) !== undefined &&
    isFreshContainer(match.getMatch('V')) &&
    !isConcatenated(match),
  anchor: (match) => match.getMatch('V')?.parent()?.parent() ?? match,
  rewrite: (match, { language }) => {
    const [length, value] = [findArrayLength(match.getMatch('A')), match.getMatch('V')]
    if (length === undefined || value === null || contains(value, 'await_expression', 'yield_expression'))
      return undefined
    const isObject = isKind(value, 'object')
    const result = language === 'javascript' ? '' : resultType(match, value)
    return [
      replaceRange(startOf(match), startOf(length), 'Array.from({ length: '),
      replaceRange(endOf(length), startOf(value), ` }, ()${result} => ${isObject ? '(' : ''}`),
      insertAt(endOf(value), isObject ? ')' : ''),
    ]
  },
}

/** Rows that are only joined to others are there to be read. */
function isConcatenated(match: Node): boolean {
  const call = match.parent()?.parent()
  return isKind(call, 'call_expression') && call.field('function')?.field('property')?.text() === 'concat'
}

function isFreshContainer(node: Node | null): boolean {
  if (isKind(node, 'array', 'object')) return true
  if (isKind(node, 'new_expression'))
    return /^(?:Map|Set|Array|WeakMap|WeakSet)$/.test(node.field('constructor')?.text() ?? '')
  if (!isKind(node, 'call_expression')) return false
  if (findArrayLength(node) !== undefined) return true
  const callee = node.field('function')
  return callee?.field('property')?.text() === 'fill' && findArrayLength(callee.field('object')) !== undefined
}

/**
 * The result type that keeps the type of the whole: `fill` takes it from the array, where an empty literal alone
 * would give `never[]`.
 */
function resultType(match: Node, value: Node): string {
  const typed = match
    .getMatch('A')
    ?.namedChildren()
    .find((child) => isKind(child, 'type_arguments'))
  if (typed) return `: ${typed.text().slice(1, -1)}`
  const isExpected = isKind(match.parent(), 'return_statement') || match.parent()?.field('type') != null
  return isExpected || !/^(?:\[\s*\]|\{\s*\})$/.test(value.text()) ? '' : isKind(value, 'array') ? ': any[]' : ': any'
}

const mapHoles: Rule = {
  id: 'js/map-holes',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'map skips the holes of a new array',
  message:
    '`Array(n)` has a length but no elements, so `map` never calls its function. `Array.from` with a length does.',
  mentions: /Array/,
  matcher: { pattern: '$A.map($F)' },
  accepts: (match) => {
    const length = findArrayLength(match.getMatch('A'))
    return length !== undefined && !isKind(length, 'string', 'array', 'object')
  },
  anchor: (match) => match.field('function') ?? match,
  rewrite: (match, context) => {
    const [length, callback] = [findArrayLength(match.getMatch('A')), match.getMatch('F')]
    if (length === undefined || !isKind(callback, 'arrow_function') || !ignoresValue(callback, context))
      return undefined
    return [
      replaceRange(startOf(match), startOf(length), 'Array.from({ length: '),
      replaceRange(endOf(length), startOf(callback), ' }, '),
    ]
  },
}

/**
 * Whether the callback works as well when TypeScript takes its first parameter for `unknown`, and asks for no third.
 */
function ignoresValue(callback: Node, { language }: SourceContext): boolean {
  const list = callback.field('parameters')?.namedChildren() ?? []
  if (list.length > 2) return false
  const first = list[0] ?? callback.field('parameter')
  return language === 'javascript' || first == null || /^_\w*$/.test(first.text())
}

const mapParseint: Rule = {
  id: 'js/map-parseint',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'parseInt takes the index for its radix',
  message:
    "`map` passes the index as second argument, which parseInt takes for the radix: ['10', " +
    "'10'].map(parseInt) is [10, NaN].",
  mentions: /parseInt/,
  matcher: { any: [{ pattern: '$A.map(parseInt)' }, { pattern: '$A.map(Number.parseInt)' }] },
  anchor: (match) => match.field('arguments') ?? match,
  rewrite: (match) => {
    const [callback] = argumentsOf(match)
    return callback ? [replaceNode(callback, `(value) => ${callback.text()}(value, 10)`)] : undefined
  },
}

const sortNumbers: Rule = {
  id: 'js/sort-numbers',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'Numbers are sorted as text',
  message: 'Without a comparison, sort compares elements as text: 10 comes before 9.',
  mentions: /sort\b|toSorted/,
  matcher: { any: [{ pattern: '$A.sort()' }, { pattern: '$A.toSorted()' }] },
  accepts: (match, context) => isSurelyNumberArray(match.getMatch('A'), context),
  rewrite: (match) => {
    const list = match.field('arguments')
    return list ? [insertAt(endOf(list) - 1, '(a, b) => a - b')] : undefined
  },
}

export const jsArrays: readonly Rule[] = [
  indexofTruthiness,
  indexofPositive,
  fillSharedReference,
  mapHoles,
  mapParseint,
  sortNumbers,
]
