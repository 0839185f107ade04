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
import { isKind, isPlainReference, operatorOf } from '../../syntax/shape.ts'
import { isCondition, simpleComparison } from './shape.ts'

const noneComparison: Rule = {
  id: 'py/none-comparison',
  known: ['E711', 'singleton-comparison', 'C0121'],
  family: 'python',
  severity: 'low',
  confidence: 'high',
  category: 'correctness',
  title: 'None is compared by equality',
  message: '`==` asks the object, which may answer anything; there is one None, and `is` asks for it.',
  mentions: /[!=]=\s*None/,
  matcher: { kind: 'comparison_operator', has: { kind: 'none' } },
  accepts: (match) => {
    const comparison = simpleComparison(match)
    if (!comparison || !isKind(comparison.right, 'none')) return false
    // Elsewhere, as in an argument or a subscript, it may build a query (SQLAlchemy, pandas).
    return ['==', '!='].includes(comparison.operator.text()) && isCondition(match)
  },
  rewrite: (match, context) => {
    const operator = simpleComparison(match)?.operator
    return operator && [replaceOperator(operator, operator.text() === '==' ? 'is' : 'is not', context)]
  },
  safety: 'safe',
  proof: 'Only the truth of the comparison is used, in a test.',
}

/** A word in place of a sign needs a space on each side. */
function replaceOperator(operator: Node, word: string, { text }: SourceContext): Edit {
  const before = /\s/.test(text[startOf(operator) - 1] ?? '') ? '' : ' '
  const after = /\s/.test(text[endOf(operator)] ?? '') ? '' : ' '
  return replaceNode(operator, before + word + after)
}

const literalIdentity: Rule = {
  id: 'py/literal-identity',
  fired: 'boto (emr/step.py)',
  known: ['F632', 'literal-comparison', 'R0123'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'A literal is compared by identity',
  message:
    'Whether two equal strings or numbers are one object depends on the interpreter. `==` compares their values.',
  mentions: /\bis(?:\s+not)?\s*[\d'"]/,
  matcher: { kind: 'comparison_operator', has: { any: [{ kind: 'string' }, { kind: 'integer' }, { kind: 'float' }] } },
  accepts: (match) => ['is', 'is not'].includes(simpleComparison(match)?.operator.text().replace(/\s+/g, ' ') ?? ''),
  rewrite: (match) => {
    const operator = simpleComparison(match)?.operator
    return operator && [replaceNode(operator, operator.text() === 'is' ? '==' : '!=')]
  },
  safety: 'safe',
  proof: 'Equal values compare alike; before, the result depended on how the interpreter keeps constants.',
}

const lengthBound: Rule = {
  id: 'py/length-bound',
  fired: 'public applications: `if len(args) < 0:` before a usage error',
  family: 'python',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'A length is never below zero',
  message: '`len(x) < 0` never holds and `len(x) >= 0` always does.',
  mentions: /\blen\(/,
  matcher: { kind: 'comparison_operator', has: { kind: 'call', regex: '^len\\s*\\(' } },
  accepts: (match) => {
    const comparison = simpleComparison(match)
    const isBound = ['<', '>='].includes(comparison?.operator.text() ?? '') && comparison?.right.text() === '0'
    return isBound && isKind(comparison.left, 'call') && comparison.left.field('function')?.text() === 'len'
  },
  rewrite: (match) => {
    const operator = simpleComparison(match)?.operator
    return operator && [replaceNode(operator, operator.text() === '<' ? '==' : '>')]
  },
  safety: 'offer',
  proof: 'Whether the author meant an empty value, or no test at all.',
}

const literalAlternative: Rule = {
  id: 'py/literal-alternative',
  fired: "public applications: `if option == 'A' or 'B':`",
  known: ['PLR1714', 'SIM222', 'condition-evals-to-constant', 'R1727'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'The alternative is a literal that always holds',
  message:
    "`x == 'a' or 'b'` holds for every x, because the literal on the right is true by itself; it has " +
    'to be compared too.',
  mentions: /\bor\s+[\d'"]/,
  matcher: {
    kind: 'boolean_operator',
    has: {
      field: 'right',
      any: [
        { kind: 'string', regex: '^["\'][^"\']' },
        { kind: 'integer', regex: '[1-9]' },
      ],
    },
  },
  accepts: (match) => operatorOf(match) === 'or' && isCondition(match) && subjectBefore(match) !== undefined,
  rewrite: (match) => {
    const subject = subjectBefore(match)
    if (subject === undefined) return undefined
    return alternativesOf(match).literals.map((literal) => insertAt(startOf(literal), `${subject.text()} == `))
  },
  safety: 'safe',
  proof: 'The subject is a plain reference, evaluated again without effect; before, the condition always held.',
}

/** The literals at the end of a chain of alternatives, the last first, and the operand before them. */
function alternativesOf(alternatives: Node): { literals: readonly Node[]; before: Node | null } {
  const last = alternatives.field('right')
  const literals = last === null ? [] : [last]
  let before = alternatives.field('left')
  while (isKind(before, 'boolean_operator') && operatorOf(before) === 'or') {
    const right = before.field('right')
    if (right === null || right.kind() !== last?.kind()) before = right
    else {
      literals.push(right)
      before = before.field('left')
    }
  }
  return { literals, before }
}

/** What the comparison with a literal compares that the alternatives before the last ones end with. */
function subjectBefore(alternatives: Node): Node | undefined {
  const { literals, before } = alternativesOf(alternatives)
  const comparison = isKind(before, 'comparison_operator') ? simpleComparison(before) : undefined
  if (comparison?.operator.text() !== '==' || comparison.right.kind() !== literals[0]?.kind()) return undefined
  return isPlainReference(comparison.left) ? comparison.left : undefined
}

const assertTuple: Rule = {
  id: 'py/assert-tuple',
  known: ['F631', 'assert-on-tuple', 'W0199'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'The assertion is a tuple, which always holds',
  message: 'With brackets around test and message, assert is given a tuple, and a tuple that is not empty is true.',
  mentions: /\bassert\s*\(/,
  matcher: { kind: 'assert_statement', has: { kind: 'tuple' } },
  accepts: (match) => {
    const [tuple, more] = match.namedChildren()
    return isKind(tuple, 'tuple') && more === undefined && tuple.namedChildren().length > 0
  },
  rewrite: (match, { text }) => {
    const tuple = match.namedChildren()[0]
    const [test, message, more] = tuple?.namedChildren() ?? []
    if (!tuple || !test || !isKind(message, 'string') || more || /[\r\n]/.test(tuple.text())) return undefined
    const space = /\s/.test(text[startOf(tuple) - 1] ?? '') ? '' : ' '
    return [replaceRange(startOf(tuple), startOf(test), space), replaceRange(endOf(message), endOf(tuple), '')]
  },
  safety: 'safe',
  proof: 'The tuple has a test and a text on one line; before, the assertion always held.',
}

export const pyComparisons: readonly Rule[] = [
  noneComparison,
  literalIdentity,
  lengthBound,
  literalAlternative,
  assertTuple,
]
