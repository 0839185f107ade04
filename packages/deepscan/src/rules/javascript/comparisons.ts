import { endOf, insertAt, type Rule, replaceNode, replaceRange, startOf } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { isKind, isPlainReference, operatorOf } from '../../syntax/shape.ts'
import { isSurelyArray } from './array-evidence.ts'
import { isCondition, stringContent } from './shape.ts'

const equality = ['===', '!==', '==', '!=']
const isNaNText = '^(?:Number\\.)?NaN$'

const nanComparison: Rule = {
  id: 'js/nan-comparison',
  fired: 'public applications: `parseInt` compared with NaN',
  known: ['use-isnan', 'useIsNan'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'Comparison with NaN is always the same',
  message:
    'NaN equals nothing, not even itself, so this test never depends on the value. Number.isNaN asks what is meant.',
  mentions: /NaN/,
  matcher: {
    kind: 'binary_expression',
    any: [{ has: { field: 'left', regex: isNaNText } }, { has: { field: 'right', regex: isNaNText } }],
  },
  accepts: (match) => equality.includes(operatorOf(match)),
  rewrite: (match) => {
    const [left, right] = [match.field('left'), match.field('right')]
    const value = new RegExp(isNaNText).test(left?.text() ?? '') ? right : left
    if (value === null) return undefined
    const negation = operatorOf(match).startsWith('!') ? '!' : ''
    return [
      replaceRange(startOf(match), startOf(value), `${negation}Number.isNaN(`),
      replaceRange(endOf(value), endOf(match), ')'),
    ]
  },
  safety: 'safe',
  proof:
    'Before, the test never depended on the value; afterwards it holds for NaN alone. Number.isNaN is a global of ES2015.',
}

const typeNames = ['undefined', 'object', 'boolean', 'number', 'bigint', 'string', 'symbol', 'function']

const typeofMisspelt: Rule = {
  id: 'js/typeof-misspelt',
  fired: "public applications: `typeof x === 'undefned'`",
  known: ['valid-typeof', 'useValidTypeof'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'typeof is compared with a word that it never gives',
  message: 'typeof gives one of eight words; compared with any other, the test is always false.',
  mentions: /typeof/,
  matcher: {
    kind: 'binary_expression',
    all: [
      { has: { field: 'left', kind: 'unary_expression', regex: '^typeof\\b' } },
      { has: { field: 'right', kind: 'string' } },
    ],
  },
  accepts: (match) => {
    const name = stringContent(match.field('right'))
    // Old Internet Explorer gave 'unknown' and 'date'; code that asks for them knows why.
    return (
      equality.includes(operatorOf(match)) && name !== undefined && ![...typeNames, 'unknown', 'date'].includes(name)
    )
  },
  rewrite: (match) => {
    const literal = match.field('right')
    const name = stringContent(literal)
    if (literal === null || name === undefined) return undefined
    const near = typeNames.filter((typeName) => isMisspellingOf(typeName, name))
    if (near.length !== 1) return undefined
    return [replaceRange(startOf(literal) + 1, endOf(literal) - 1, near[0] ?? '')]
  },
  safety: 'safe',
  proof: 'One word alone of the eight differs from the literal by a slip; before, the test was always false.',
}

/** Whether a word differs by the order or case of its letters, or by one letter more, less or other. */
function isMisspellingOf(word: string, typed: string): boolean {
  const letters = (text: string) => [...text.toLowerCase()].sort().join('')
  if (letters(word) === letters(typed)) return true
  if (Math.abs(word.length - typed.length) > 1) return false
  let same = 0
  while (same < word.length && word[same] === typed[same]) same++
  const tail = Math.max(word.length, typed.length) - same - 1
  return tail === 0 || word.slice(-tail) === typed.slice(-tail)
}

const negatedRelation: Rule = {
  id: 'js/negated-relation',
  fired: 'public applications: `!this in values`',
  known: ['no-unsafe-negation', 'noUnsafeNegation'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'The negation belongs to the left side alone',
  message:
    '`!a in b` asks whether `false` or `true` is in `b`, because `!` binds more tightly than `in` and `instanceof`.',
  mentions: /\bin(?:stanceof)?\b/,
  matcher: { kind: 'binary_expression', has: { field: 'left', kind: 'unary_expression', regex: '^!' } },
  accepts: (match) => ['in', 'instanceof'].includes(operatorOf(match)) && !/^!\s*!/.test(match.text()),
  rewrite: (match) => {
    const value = match.field('left')?.field('argument')
    return value ? [insertAt(startOf(value), '('), insertAt(endOf(match), ')')] : undefined
  },
  safety: 'safe',
  proof: 'Before, the test asked for the key `true` or `false`; brackets change no order of evaluation.',
}

const inArrayLiteral: Rule = {
  id: 'js/in-array-literal',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: '`in` looks for an index, not for an element',
  message:
    '`x in [...]` asks whether the array has an index of that name; `includes` asks whether it has that element.',
  mentions: /\bin\b/,
  matcher: {
    kind: 'binary_expression',
    all: [{ has: { field: 'left', kind: 'identifier' } }, { has: { field: 'right', kind: 'array' } }],
  },
  accepts: (match) => {
    const elements = match.field('right')?.namedChildren() ?? []
    return operatorOf(match) === 'in' && elements.length > 0 && elements.every((element) => isKind(element, 'string'))
  },
  rewrite: (match) => {
    const [name, list] = [match.field('left'), match.field('right')]
    // A statement that starts with a bracket would join the line before it.
    if (name === null || list === null || isKind(match.parent(), 'expression_statement')) return undefined
    return [replaceRange(startOf(match), startOf(list), ''), insertAt(endOf(list), `.includes(${name.text()})`)]
  },
  safety: 'safe',
  proof: 'The elements are strings and the left side a name, so nothing is evaluated twice or in another order.',
}

const literalIdentity: Rule = {
  id: 'js/literal-identity',
  fired: 'public applications: `props.items === []`',
  known: ['no-constant-binary-expression'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'A new array or object is identical to nothing',
  message:
    'Arrays and objects are compared by identity, and the literal makes a new one, so this test never ' +
    'depends on the value.',
  matcher: {
    kind: 'binary_expression',
    has: { field: 'right', any: [{ kind: 'array' }, { kind: 'object' }] },
  },
  accepts: (match) => ['===', '!=='].includes(operatorOf(match)),
  rewrite: (match) => {
    const [value, literal] = [match.field('left'), match.field('right')]
    if (!isPlainReference(value) || value === null || !/^\[\s*\]$/.test(literal?.text() ?? '')) return undefined
    const test = `Array.isArray(${value.text()}) && ${value.text()}.length === 0`
    return [replaceNode(match, operatorOf(match) === '===' ? `(${test})` : `!(${test})`)]
  },
  safety: 'safe',
  proof: 'The left side is a plain reference, evaluated twice without effect; before, the test was always the same.',
}

const arrayLength: Rule = {
  id: 'js/array-length-bound',
  fired: 'public applications: `intersects.length < 0`',
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'The length of an array is never below zero',
  message: 'An array has zero elements or more, so `length < 0` never holds and `length >= 0` always does.',
  mentions: /length/,
  matcher: { kind: 'binary_expression', has: { field: 'left', kind: 'member_expression', regex: '\\.length$' } },
  accepts: (match, context) => {
    const isBound = ['<', '>='].includes(operatorOf(match)) && match.field('right')?.text() === '0'
    return isBound && isSurelyArray(match.field('left')?.field('object') ?? null, context)
  },
  rewrite: (match) => {
    const operator = match.field('operator')
    return operator ? [replaceNode(operator, operator.text() === '<' ? '===' : '>')] : undefined
  },
  safety: 'offer',
  proof: 'Whether the author meant an empty array, or no test at all.',
}

const literalAlternative: Rule = {
  id: 'js/literal-alternative',
  fired: "public applications: `currentComponent === 'A' || 'B' || 'C' ?`",
  known: ['no-constant-condition', 'no-constant-binary-expression', 'noConstantCondition'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'The alternative is a literal that always holds',
  message:
    "`x === 'a' || 'b'` holds for every x, because the literal on the right is true by itself; it has " +
    'to be compared too.',
  mentions: /\|\|/,
  matcher: {
    kind: 'binary_expression',
    has: {
      field: 'right',
      any: [
        { kind: 'string', regex: '^.[^"\']' },
        { kind: 'number', regex: '[1-9]' },
      ],
    },
  },
  accepts: (match) => operatorOf(match) === '||' && isCondition(match) && comparisonBefore(match) !== undefined,
  rewrite: (match) => {
    const comparison = comparisonBefore(match)
    const subject = comparison?.field('left')
    if (!comparison || !subject) return undefined
    return alternativesOf(match).literals.map((literal) =>
      insertAt(startOf(literal), `${subject.text()} ${operatorOf(comparison)} `),
    )
  },
  safety: 'safe',
  proof: 'The subject is a plain reference, evaluated again without effect; before, the condition always held.',
}

/** The literals at the end of a chain of alternatives, the last first, and the operand before them. */
function alternativesOf(alternatives: Node): { literals: readonly Node[]; before: Node | null } {
  const last = alternatives.field('right')
  const literals = last === null ? [] : [last]
  let before = alternatives.field('left')
  while (isKind(before, 'binary_expression') && operatorOf(before) === '||') {
    const right = before.field('right')
    if (right === null || right.kind() !== last?.kind()) before = right
    else {
      literals.push(right)
      before = before.field('left')
    }
  }
  return { literals, before }
}

/** The comparison with a literal that the alternatives before the last ones end with. */
function comparisonBefore(alternatives: Node): Node | undefined {
  const { literals, before } = alternativesOf(alternatives)
  if (!isKind(before, 'binary_expression') || !['===', '=='].includes(operatorOf(before))) return undefined
  const isOfKind = before.field('right')?.kind() === literals[0]?.kind()
  return isOfKind && isPlainReference(before.field('left')) ? before : undefined
}

export const jsComparisons: readonly Rule[] = [
  nanComparison,
  typeofMisspelt,
  negatedRelation,
  inArrayLiteral,
  literalIdentity,
  arrayLength,
  literalAlternative,
]
