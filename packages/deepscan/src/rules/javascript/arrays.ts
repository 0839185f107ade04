import { qualifiedName } from '../../rule/resolved.ts'
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
import { argumentsOf, contains, isKind, operatorOf } from '../../syntax/shape.ts'
import { isSurelyArray, isSurelyNumberArray } from './array-evidence.ts'
import { findArrayLength, isCondition } from './shape.ts'

const indexofTruthiness: Rule = {
  id: 'js/indexof-truthiness',
  fired: 'wiki.js (server/controllers/common.js)',
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'correctness',
  title: 'The result of indexOf is used as a yes or no',
  message:
    'indexOf gives -1, which is true, for what is missing, and 0, which is false, for the first ' +
    'place. `includes` gives a yes or no.',
  mentions: /indexOf/,
  calls: ['*.indexOf'],
  accepts: (match) => argumentsOf(match).length === 1 && isCondition(match),
  rewrite: renameToIncludes,
  safety: 'safe',
  proof:
    'Whatever has indexOf for one argument in JavaScript (text, arrays, buffers, typed arrays) has includes; only the truth of the result is used.',
}

const indexofPositive: Rule = {
  id: 'js/indexof-positive',
  fired: 'public applications: `azureResourceIds.indexOf(id) > 0`',
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'correctness',
  title: 'The first element of the array is not found',
  message:
    '`indexOf(x) > 0` does not hold for the first element, whose index is 0. `includes` asks whether the array has it.',
  mentions: /indexOf/,
  matcher: { kind: 'binary_expression', has: { field: 'left', kind: 'call_expression', regex: '\\.indexOf\\s*\\(' } },
  accepts: (match, context) => {
    const call = match.field('left')
    const isPositive = operatorOf(match) === '>' && match.field('right')?.text() === '0'
    return isPositive && call !== null && isPlainIndexOf(call) && isSurelyArray(receiverOf(call), context)
  },
  rewrite: (match) => {
    const call = match.field('left')
    const edits = call && renameToIncludes(call)
    return edits ? [...edits, replaceRange(endOf(call), endOf(match), '')] : undefined
  },
  safety: 'safe',
  proof: 'Every binding of the name is an array.',
}

function isPlainIndexOf(call: Node): boolean {
  return call.field('function')?.field('property')?.text() === 'indexOf' && argumentsOf(call).length === 1
}

/** The value whose method is called. */
function receiverOf(call: Node): Node | null {
  return call.field('function')?.field('object') ?? null
}

function renameToIncludes(call: Node): readonly Edit[] | undefined {
  const name = call.field('function')?.field('property')
  return name ? [replaceNode(name, 'includes')] : undefined
}

const fillSharedReference: Rule = {
  id: 'js/fill-shared-reference',
  fired: 'public applications: `new Array(ids.length).fill([])`',
  known: ['no-array-fill-with-reference-type'],
  family: 'javascript',
  severity: 'high',
  confidence: 'medium',
  category: 'correctness',
  title: 'Every element is the same object',
  message:
    '`fill` puts one and the same array or object in every place, so a change to one element shows in all of them.',
  mentions: /Array\s*[(<]/,
  calls: ['*.fill'],
  accepts: (match) => {
    const [value, more] = argumentsOf(match)
    const isNew = findArrayLength(receiverOf(match)) !== undefined
    return isNew && more === undefined && isFreshContainer(value ?? null) && !isConcatenated(match)
  },
  rewrite: (match, { language }) => {
    const [length, value] = [findArrayLength(receiverOf(match)), argumentsOf(match)[0]]
    if (length === undefined || value === undefined || contains(value, 'await_expression', 'yield_expression'))
      return undefined
    const isObject = isKind(value, 'object')
    const result = language === 'javascript' ? '' : resultType(match, value)
    return [
      replaceRange(startOf(match), startOf(length), 'Array.from({ length: '),
      replaceRange(endOf(length), startOf(value), ` }, ()${result} => ${isObject ? '(' : ''}`),
      insertAt(endOf(value), isObject ? ')' : ''),
    ]
  },
  safety: 'safe',
  proof:
    'The array is made at this place and the value is a literal without await or yield; each element gets an equal one of its own.',
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
  const typed = receiverOf(match)
    ?.namedChildren()
    .find((child) => isKind(child, 'type_arguments'))
  if (typed) return `: ${typed.text().slice(1, -1)}`
  const isExpected = isKind(match.parent(), 'return_statement') || match.parent()?.field('type') != null
  return isExpected || !/^(?:\[\s*\]|\{\s*\})$/.test(value.text()) ? '' : isKind(value, 'array') ? ': any[]' : ': any'
}

const mapHoles: Rule = {
  id: 'js/map-holes',
  fired: 'public applications: `new Array(5).map((_, i) =>`',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'map skips the holes of a new array',
  message:
    '`Array(n)` has a length but no elements, so `map` never calls its function. `Array.from` with a length does.',
  mentions: /Array\s*\(/,
  calls: ['*.map'],
  accepts: (match) => {
    const length = findArrayLength(receiverOf(match))
    return argumentsOf(match).length === 1 && length !== undefined && !isKind(length, 'string', 'array', 'object')
  },
  anchor: (match) => match.field('function') ?? match,
  rewrite: (match, context) => {
    const [length, callback] = [findArrayLength(receiverOf(match)), argumentsOf(match)[0]]
    if (length === undefined || !isKind(callback, 'arrow_function') || !ignoresValue(callback, context))
      return undefined
    return [
      replaceRange(startOf(match), startOf(length), 'Array.from({ length: '),
      replaceRange(endOf(length), startOf(callback), ' }, '),
    ]
  },
  safety: 'safe',
  proof: 'The callback does not look at its first parameter, nor ask for a third.',
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
  fired: 'public applications: `colors.slice(1).map(parseInt)`',
  known: ['radix'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'parseInt takes the index for its radix',
  message:
    "`map` passes the index as second argument, which parseInt takes for the radix: ['10', " +
    "'10'].map(parseInt) is [10, NaN].",
  mentions: /parseInt/,
  calls: ['*.map'],
  accepts: (match, { resolve }) => {
    const [callback, more] = argumentsOf(match)
    if (!isKind(callback, 'identifier', 'member_expression')) return false
    const name = more === undefined && qualifiedName(resolve(callback))
    return name === 'parseInt' || name === 'Number.parseInt'
  },
  anchor: (match) => match.field('arguments') ?? match,
  rewrite: (match) => {
    const [callback] = argumentsOf(match)
    return callback ? [replaceNode(callback, `(value) => ${callback.text()}(value, 10)`)] : undefined
  },
  safety: 'safe',
  proof:
    'The callback is parseInt itself; its first argument stays the same and its radix becomes 10, which is what one-argument parseInt takes for decimal text.',
}

const sortNumbers: Rule = {
  id: 'js/sort-numbers',
  fired: 'public applications: `Object.keys(tiers).map(Number).sort()`',
  known: ['require-array-sort-compare'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'Numbers are sorted as text',
  message: 'Without a comparison, sort compares elements as text: 10 comes before 9.',
  mentions: /\.(?:sort|toSorted)\(\s*\)/,
  calls: ['*.sort', '*.toSorted'],
  accepts: (match, context) =>
    argumentsOf(match).length === 0 && isSurelyNumberArray(receiverOf(match) ?? null, context),
  rewrite: (match) => {
    const list = match.field('arguments')
    return list ? [insertAt(endOf(list) - 1, '(a, b) => a - b')] : undefined
  },
  safety: 'safe',
  proof: 'Every binding of the name is an array of numbers.',
}

export const jsArrays: readonly Rule[] = [
  indexofTruthiness,
  indexofPositive,
  fillSharedReference,
  mapHoles,
  mapParseint,
  sortNumbers,
]
