import { endOf, insertAt, type Rule, replaceNode } from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { contains, findEnclosing, isKind, operatorOf } from '../../syntax/shape.ts'

const bareExcept: Rule = {
  id: 'py/bare-except',
  fired: '4 of 32 findings read in 45 repositories',
  known: ['E722', 'bare-except', 'W0702', 'BLE001'],
  family: 'python',
  severity: 'low',
  confidence: 'medium',
  category: 'reliability',
  title: 'A bare except swallows Ctrl-C and sys.exit',
  message:
    'KeyboardInterrupt and SystemExit are caught too, so the program cannot be stopped here. `except ' +
    'Exception` lets them pass.',
  mentions: /except/,
  matcher: { kind: 'except_clause', regex: '^except\\s*:' },
  accepts: (match) =>
    !contains(match, 'raise_statement') && !/\bexit\(/.test(match.text()) && !letsInterruptsPass(match),
  anchor: (match) => match.children()[0] ?? match,
  rewrite: (match) => {
    const keyword = match.children()[0]
    return keyword && [insertAt(endOf(keyword), ' Exception')]
  },
  safety: 'offer',
  proof: 'Whether the clause cleans up at Ctrl-C, or when an asynchronous task is cancelled.',
}

/** Whether an earlier clause of the same `try` takes Ctrl-C and sys.exit. */
function letsInterruptsPass(clause: Node): boolean {
  const earlier = clause.parent()?.children() ?? []
  return earlier.some(
    (other) =>
      isKind(other, 'except_clause') && /^except[^:]*\b(?:KeyboardInterrupt|BaseException)\b/.test(other.text()),
  )
}

const exceptAlternative: Rule = {
  id: 'py/except-alternative',
  fired: 'public applications: `except ValueError or TypeError:`',
  known: ['B030', 'binary-op-exception', 'W0711'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'Only the first of the exceptions is caught',
  message: '`except A or B` catches A alone, because `A or B` is A. A tuple catches both.',
  mentions: /except/,
  matcher: { kind: 'except_clause', regex: '^except\\s+[\\w.]+\\s+or\\s' },
  accepts: (match) => findAlternatives(match) !== undefined,
  anchor: (match) => findAlternatives(match) ?? match,
  rewrite: (match) => {
    const alternatives = findAlternatives(match)
    return alternatives && [replaceNode(alternatives, `(${alternativesOf(alternatives).join(', ')})`)]
  },
  safety: 'safe',
  proof: 'All alternatives are names, evaluated in the same order.',
}

function findAlternatives(clause: Node): Node | undefined {
  const [first] = clause.namedChildren()
  const test = isKind(first, 'as_pattern') ? first.namedChildren()[0] : first
  if (!isKind(test, 'boolean_operator')) return undefined
  return alternativesOf(test).every((name) => /^[\w.]+$/.test(name)) ? test : undefined
}

function alternativesOf(node: Node): readonly string[] {
  if (!isKind(node, 'boolean_operator') || operatorOf(node) !== 'or') return [node.text()]
  return [node.field('left'), node.field('right')].flatMap((side) => (side ? alternativesOf(side) : []))
}

const raiseNotImplemented: Rule = {
  id: 'py/raise-notimplemented',
  fired: '45 repositories that were read',
  known: ['F901', 'notimplemented-raised', 'E0711'],
  family: 'python',
  severity: 'medium',
  confidence: 'high',
  category: 'correctness',
  title: 'NotImplemented is not an exception',
  message: 'Raising it gives a TypeError instead. NotImplementedError is the exception.',
  mentions: /NotImplemented/,
  matcher: { kind: 'raise_statement', regex: '^raise\\s+NotImplemented\\b' },
  rewrite: (match) => {
    const [value] = match.namedChildren()
    const name = isKind(value, 'call') ? value.field('function') : value
    return isKind(name, 'identifier') ? [replaceNode(name, 'NotImplementedError')] : undefined
  },
  safety: 'safe',
  proof: 'Before, raising it was a TypeError.',
}

const returnInFinally: Rule = {
  id: 'py/return-in-finally',
  fired: '45 repositories that were read',
  known: ['B012', 'SIM107', 'lost-exception', 'W0150'],
  family: 'python',
  severity: 'medium',
  confidence: 'high',
  category: 'reliability',
  title: 'A return in `finally` discards the exception',
  message: 'A return from the finally block replaces the result of the try block and swallows what was raised.',
  mentions: /finally/,
  matcher: { kind: 'return_statement' },
  accepts: (match) => findEnclosing(match, ['finally_clause'], ['function_definition', 'lambda']) !== undefined,
}

export const pyFlow: readonly Rule[] = [bareExcept, exceptAlternative, raiseNotImplemented, returnInFinally]
