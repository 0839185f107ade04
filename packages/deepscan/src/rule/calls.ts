// How each family writes a call, and what is called.
import type { Family } from '../syntax/language.ts'
import type { Matcher, Node } from '../syntax/parser.ts'
import { isKind } from '../syntax/shape.ts'
import { qualifiedName, type Resolved } from './resolved.ts'

/** The kinds of node that call something, and the matchers for calls of something by one of these names. */
export type CallSyntax = {
  kinds: readonly string[]
  matchers: (names: readonly string[]) => readonly Matcher[]
}

function callMatcher(kind: string, field: string, member: string): (regex: string) => Matcher {
  return (regex) => ({
    kind,
    has: { field, any: [{ kind: 'identifier', regex }, { has: { field: member, regex } }] },
  })
}

/** Calls of an alias through brackets, such as `(0, eval)(x)`, are looked at whatever their name. */
const bracketed: Matcher = { kind: 'call_expression', has: { field: 'function', kind: 'parenthesized_expression' } }

function syntaxOf(
  kinds: readonly string[],
  matchers: readonly ((regex: string) => Matcher)[],
  more: readonly Matcher[],
) {
  return {
    kinds,
    matchers: (names: readonly string[]) => {
      const regex = `^(?:${names.map((name) => name.replaceAll('$', '\\$')).join('|')})$`
      return [...matchers.map((matcher) => matcher(regex)), ...more]
    },
  }
}

export const callSyntax: Record<Family, CallSyntax> = {
  javascript: syntaxOf(
    ['call_expression', 'new_expression'],
    [callMatcher('call_expression', 'function', 'property'), callMatcher('new_expression', 'constructor', 'property')],
    [bracketed],
  ),
  python: syntaxOf(['call'], [callMatcher('call', 'function', 'attribute')], []),
  go: syntaxOf(['call_expression'], [callMatcher('call_expression', 'function', 'field')], []),
  bash: syntaxOf(['command'], [(regex) => ({ kind: 'command', has: { field: 'name', regex } })], []),
}

/**
 * What a call calls: its last name as it is written, the whole name that it has through imports, and whether a rule's
 * name means it.
 */
export type Called = { last: string; whole: () => string | undefined; is: (name: string) => boolean }

type Context = { resolve: (node: Node | null | undefined) => Resolved }

/** Tells what a call calls. The whole name is looked for when it is asked for. */
export function calledAs(call: Node, { resolve }: Context): Called {
  const isNew = isKind(call, 'new_expression')
  const isCommand = isKind(call, 'command')
  const callee = call.field(isNew ? 'constructor' : isCommand ? 'name' : 'function')
  const property = callee?.field('property') ?? callee?.field('attribute') ?? callee?.field('field')
  const last = (property ?? callee)?.text() ?? ''
  let known: { whole: string | undefined } | undefined
  const whole = () => {
    known ??= { whole: isCommand ? last : qualifiedName(resolve(callee)) }
    return known.whole
  }
  const is = (name: string) => {
    if (name.startsWith('*.')) return property != null && last === name.slice(2)
    return name === (isNew ? `new ${whole()}` : whole())
  }
  return { last, whole, is }
}
