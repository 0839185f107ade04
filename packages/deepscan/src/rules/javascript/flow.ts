import { endOf, insertAt, type Rule, replaceNode, startOf } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { contains, findEnclosing, isKind, isPlainReference } from '../../syntax/shape.ts'
import { functionKinds, isLiteral } from './shape.ts'

const assignmentInCondition: Rule = {
  id: 'js/assignment-in-condition',
  known: ['no-cond-assign', 'noAssignInExpressions'],
  family: 'javascript',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'A condition assigns a literal instead of comparing with it',
  message: 'The condition is always the literal, and the variable is overwritten. A comparison is meant.',
  matcher: { kind: 'parenthesized_expression', has: { kind: 'assignment_expression' } },
  accepts: (match) => {
    const assignment = assignmentIn(match)
    if (!isKind(match.parent(), 'if_statement', 'while_statement', 'do_statement') || assignment === null) return false
    return isPlainReference(assignment.field('left')) && isLiteral(assignment.field('right'))
  },
  anchor: (match) => assignmentIn(match) ?? match,
  rewrite: (match) => {
    const sign = assignmentIn(match)
      ?.children()
      .find((child) => child.text() === '=')
    return sign ? [replaceNode(sign, '===')] : undefined
  },
  safety: 'offer',
  proof: 'Whether code after the condition relies on the assignment.',
}

function assignmentIn(brackets: Node): Node | null {
  return brackets.namedChildren().find((child) => isKind(child, 'assignment_expression')) ?? null
}

const selfAssignment: Rule = {
  id: 'js/self-assignment',
  known: ['no-self-assign', 'noSelfAssign'],
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'A variable is assigned to itself',
  message: 'The assignment does nothing; often `this.` or another name was meant on one side.',
  mentions: /(?<![\w$.])([\w$]+)\s*=\s*\1(?![\w$.([`?]|\s*(?:=>|[.(?[`]))/,
  matcher: { kind: 'expression_statement', has: { kind: 'assignment_expression' } },
  accepts: (match) => {
    const assignment = match.child(0)
    const left = assignment?.field('left')
    return isKind(left, 'identifier') && left.text() === assignment?.field('right')?.text()
  },
  anchor: (match) => match.child(0) ?? match,
}

const duplicateOperand: Rule = {
  id: 'js/duplicate-operand',
  known: ['no-self-compare', 'noSelfCompare', 'no-identical-expressions'],
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'Both sides of the operator are the same',
  message: 'The second operand adds nothing to the first; another name was meant on one side.',
  mentions: /(?<![\w$.])([\w$.]+)\s*(?:\|\||&&|[<>]=?)\s*\1(?![\w$.([])/,
  matcher: { kind: 'binary_expression', all: [{ has: { field: 'operator', regex: '^(?:\\|\\||&&|[<>]=?)$' } }] },
  accepts: (match) => {
    const left = match.field('left')
    return isPlainReference(left) && left?.text() === match.field('right')?.text()
  },
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
  fired: 'pm2 (InteractorClient)',
  known: ['no-dupe-else-if', 'noDuplicateElseIf'],
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'A condition of the chain was asked before',
  message: 'The branch can never run, because an earlier branch of the same chain has the same condition.',
  mentions: /\belse\b/,
  matcher: { kind: 'if_statement', has: { kind: 'else_clause' } },
  accepts: (match) => !isKind(match.parent(), 'else_clause') && findRepeated(match) !== undefined,
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
  known: ['no-throw-literal', 'only-throw-error', 'useThrowOnlyError'],
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
  safety: 'offer',
  proof: 'Whether anybody, here or in another file, compares what is caught with the text.',
}

const returnInFinally: Rule = {
  id: 'js/return-in-finally',
  known: ['no-unsafe-finally', 'noUnsafeFinally'],
  family: 'javascript',
  severity: 'medium',
  confidence: 'high',
  category: 'reliability',
  title: 'A return in `finally` discards the error',
  message: 'A return from the finally block replaces the result of the try block and swallows what was thrown.',
  mentions: /finally/,
  matcher: { kind: 'return_statement' },
  accepts: (match) => findEnclosing(match, ['finally_clause'], functionKinds) !== undefined && discardsError(match),
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
