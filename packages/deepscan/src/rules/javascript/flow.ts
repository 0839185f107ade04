import { endOf, insertAt, type Rule, replaceNode, startOf } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { contains, findEnclosing, isKind, isPlainReference } from '../../syntax/shape.ts'
import { functionKinds, isLiteral } from './shape.ts'

const assignmentInCondition: Rule = {
  id: 'js/assignment-in-condition',
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'A condition assigns a literal instead of comparing with it',
  message: 'The condition is always the literal, and the variable is overwritten. A comparison is meant.',
  matcher: {
    kind: 'assignment_expression',
    inside: {
      kind: 'parenthesized_expression',
      inside: { any: [{ kind: 'if_statement' }, { kind: 'while_statement' }, { kind: 'do_statement' }] },
    },
  },
  accepts: (match) => isPlainReference(match.field('left')) && isLiteral(match.field('right')),
  rewrite: (match) => {
    const sign = match.children().find((child) => child.text() === '=')
    return sign ? [replaceNode(sign, '===')] : undefined
  },
}

const selfAssignment: Rule = {
  id: 'js/self-assignment',
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'A variable is assigned to itself',
  message: 'The assignment does nothing; often `this.` or another name was meant on one side.',
  matcher: { pattern: '$A = $A', kind: 'assignment_expression' },
  accepts: (match) => isKind(match.field('left'), 'identifier') && isKind(match.parent(), 'expression_statement'),
}

const duplicateOperand: Rule = {
  id: 'js/duplicate-operand',
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'Both sides of the operator are the same',
  message: 'The second operand adds nothing to the first; another name was meant on one side.',
  matcher: {
    any: ['||', '&&', '<', '>', '<=', '>='].map((operator) => ({ pattern: `$A ${operator} $A` })),
  },
  accepts: (match) => isPlainReference(match.getMatch('A')),
}

const effects = [
  'call_expression',
  'new_expression',
  'assignment_expression',
  'augmented_assignment_expression',
  'update_expression',
  'await_expression',
  'yield_expression',
]

const duplicateCondition: Rule = {
  id: 'js/duplicate-condition',
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'A condition of the chain was asked before',
  message: 'The branch can never run, because an earlier branch of the same chain has the same condition.',
  mentions: /\belse\b/,
  matcher: { kind: 'if_statement', not: { inside: { kind: 'else_clause' } }, has: { kind: 'else_clause' } },
  accepts: (match) => findRepeated(match) !== undefined,
  anchor: (match) => findRepeated(match) ?? match,
}

/**
 * The first condition of an else-if chain that repeats an earlier one; nothing when a condition of the chain has
 * effects.
 */
function findRepeated(head: Node): Node | undefined {
  const seen = new Set<string>()
  let repeated: Node | undefined
  let branch: Node | null = head
  while (isKind(branch, 'if_statement')) {
    const condition = branch.field('condition')
    if (condition === null || contains(condition, ...effects)) return undefined
    const text = condition.text().replace(/\s+/g, ' ')
    if (seen.has(text)) repeated ??= condition
    seen.add(text)
    const alternative: Node | null = branch.field('alternative')
    branch = alternative?.namedChildren().find((child) => isKind(child, 'if_statement')) ?? null
  }
  return repeated
}

const throwLiteral: Rule = {
  id: 'js/throw-literal',
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'reliability',
  title: 'A string is thrown instead of an Error',
  message: 'A thrown string has no stack and no `message`, so whoever catches it cannot tell where it came from.',
  mentions: /throw/,
  matcher: { kind: 'throw_statement', has: { any: [{ kind: 'string' }, { kind: 'template_string' }] } },
  rewrite: (match) => {
    const value = match.namedChildren().find((child) => isKind(child, 'string', 'template_string'))
    return value ? [insertAt(startOf(value), 'new Error('), insertAt(endOf(value), ')')] : undefined
  },
}

const returnInFinally: Rule = {
  id: 'js/return-in-finally',
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'reliability',
  title: 'A return in `finally` discards the error',
  message: 'A return from the finally block replaces the result of the try block and swallows what was thrown.',
  mentions: /finally/,
  matcher: {
    kind: 'return_statement',
    inside: { kind: 'finally_clause', stopBy: { any: functionKinds.map((kind) => ({ kind })) } },
  },
  accepts: discardsError,
}

/** Not where an inner `finally` throws again, as transpiled loops have it, nor where an empty catch took the error. */
function discardsError(match: Node): boolean {
  const clause = findEnclosing(match, ['finally_clause'], functionKinds)
  const inner = findEnclosing(match, ['try_statement'], functionKinds)
  if (inner && clause && startOf(inner) > startOf(clause) && inner.field('finalizer') !== null) return false
  const handler = clause?.parent()?.field('handler')?.field('body')
  return !handler || contains(handler, 'return_statement', 'throw_statement', 'call_expression')
}

export const jsFlow: readonly Rule[] = [
  assignmentInCondition,
  selfAssignment,
  duplicateOperand,
  duplicateCondition,
  throwLiteral,
  returnInFinally,
]
