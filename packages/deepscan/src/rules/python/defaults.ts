import {
  type Edit,
  endOf,
  insertAt,
  isWithin,
  type Rule,
  replaceNode,
  type SourceContext,
  startOf,
} from '../../rule/rule.ts'
import type { Node } from '../../syntax/parser.ts'
import { argumentsOf, contains, isKind } from '../../syntax/shape.ts'
import { findFunction } from './shape.ts'

const defaultParameter = { any: [{ kind: 'default_parameter' }, { kind: 'typed_default_parameter' }] }

const mutableDefault: Rule = {
  id: 'py/mutable-default',
  fired: '2 of 9 findings in 45 repositories',
  known: ['B006', 'dangerous-default-value', 'W0102'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'A mutable default is shared between calls',
  message:
    'The default is made once, when the function is defined; what one call changes or keeps, the next call gets.',
  mentions: /=\s*(?:\[|\{|list\(|dict\(|set\()/,
  matcher: defaultParameter,
  accepts: (match, context) => {
    const [value, owner] = [match.field('value'), findFunction(match)]
    const name = match.field('name')?.text() ?? ''
    // A cache kept in a default is an old and intended use.
    if (!isMutable(value) || owner === undefined || /^_|cache|memo/i.test(name)) return false
    const body = owner.field('body')
    const isEmpty = value.namedChildren().length === 0 || isKind(value, 'call')
    return body !== null && context.usesOf(name).some((use) => isWithin(body, use) && isChangingOrKeeping(use, isEmpty))
  },
  rewrite: rewriteWithGuard,
  safety: 'offer',
  proof: 'Whether a caller passes None and means it.',
}

const callInDefault: Rule = {
  id: 'py/call-in-default',
  fired: 'public applications: `end_date=datetime.now()`',
  known: ['B008'],
  family: 'python',
  severity: 'high',
  confidence: 'high',
  category: 'correctness',
  title: 'The default is computed once, not at each call',
  message:
    'A time or a random value as default is that of the moment the function was defined, the same for every call.',
  mentions: /=\s*[\w.]+\(\)/,
  matcher: defaultParameter,
  accepts: (match) => {
    const value = match.field('value')
    return isKind(value, 'call') && clockOrRandom.test(value.text()) && findFunction(match) !== undefined
  },
  rewrite: rewriteWithGuard,
  safety: 'offer',
  proof: 'Whether a caller passes None and means it.',
}

const clockOrRandom =
  /^(?:(?:datetime\.)?(?:datetime\.(?:utc)?now|date\.today)|time\.time|uuid\.uuid[14]|random\.random)\(\)$/

function isMutable(value: Node | null): value is Node {
  if (isKind(value, 'list', 'dictionary', 'set')) return true
  return (
    isKind(value, 'call') &&
    /^(?:list|dict|set)$/.test(value.field('function')?.text() ?? '') &&
    argumentsOf(value).length === 0
  )
}

const changingMethods = /^(?:append|extend|insert|add|update|setdefault|pop|popitem|remove|discard|clear|sort|reverse)$/

/**
 * Whether a use changes the object that the name stands for or stores it: then the next call sees it. A
 * default such as
 * `[0]` that is only assigned to by index is a cell for an inner function.
 */
function isChangingOrKeeping(use: Node, isEmpty: boolean): boolean {
  const parent = use.parent()
  if (isKind(parent, 'attribute')) {
    const isMethod = parent.field('object')?.id() === use.id() && isKind(parent.parent(), 'call')
    return isMethod && changingMethods.test(parent.field('attribute')?.text() ?? '')
  }
  if (isKind(parent, 'subscript')) return isEmpty && parent.field('value')?.id() === use.id() && isTarget(parent)
  if (isKind(parent, 'augmented_assignment')) return parent.field('left')?.id() === use.id()
  if (isKind(parent, 'assignment')) {
    return parent.field('right')?.id() === use.id() && isKind(parent.field('left'), 'attribute', 'subscript')
  }
  return false
}

function isTarget(subscript: Node): boolean {
  const parent = subscript.parent()
  if (isKind(parent, 'delete_statement')) return true
  return isKind(parent, 'assignment', 'augmented_assignment') && parent.field('left')?.id() === subscript.id()
}

/** Makes the default None, and puts the old default in its place at the start of the body, after the docstring. */
function rewriteWithGuard(match: Node, context: SourceContext): readonly Edit[] | undefined {
  const [name, value, body] = [match.field('name'), match.field('value'), findFunction(match)?.field('body')]
  // A type that does not allow None would be wrong with None as default.
  if (!name || !value || !body || match.field('type') !== null || /[\r\n]/.test(value.text())) return undefined
  if (!isKind(value, 'call') && contains(value, 'identifier')) return undefined
  const first = skipComments(body.child(0))
  const next = first && isDocstring(first) ? skipComments(first.next()) : first
  if (!first || !next) return undefined
  const indent = lineStartOf(next, context.text)
  if (/\S/.test(indent)) return undefined
  const unit = indent.includes('\t') ? '\t' : indent.slice(indentOf(match, context.text).length) || '    '
  const newline = context.text.includes('\r\n') ? '\r\n' : '\n'
  const guard = [`if ${name.text()} is None:`, `${unit}${name.text()} = ${value.text()}`, ''].join(newline + indent)
  return [replaceNode(value, 'None'), insertAt(startOf(next), guard)]
}

function skipComments(statement: Node | null): Node | undefined {
  let at = statement
  while (isKind(at, 'comment')) at = at.next()
  return at ?? undefined
}

function isDocstring(statement: Node): boolean {
  const [only, more] = statement.namedChildren()
  return (
    isKind(statement, 'expression_statement') &&
    isKind(only, 'string') &&
    more === undefined &&
    endOf(only) === endOf(statement)
  )
}

/** What stands before the node on its line. */
function lineStartOf(node: Node, text: string): string {
  return text.slice(text.lastIndexOf('\n', startOf(node) - 1) + 1, startOf(node))
}

function indentOf(parameter: Node, text: string): string {
  const owner = findFunction(parameter)
  return (owner ? lineStartOf(owner, text) : '').match(/^\s*/)?.[0] ?? ''
}

export const pyDefaults: readonly Rule[] = [mutableDefault, callInDefault]
