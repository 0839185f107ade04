// All rules of a language in one search of the tree. Each candidate is dispatched by its kind and, for a call, by the
// name that it has through imports.

import { calledAs, callSyntax } from '../rule/calls.ts'
import { fits } from '../rule/fits.ts'
import type { Rule, SourceContext } from '../rule/rule.ts'
import type { Family } from '../syntax/language.ts'
import type { Matcher, Node } from '../syntax/parser.ts'

/** What one search gave: rules with the nodes to ask them about, the places of syntax errors, and comments. */
export type Found = {
  candidates: readonly (readonly [Rule, Node])[]
  errors: readonly Node[]
  comments: readonly Node[]
}

/** Rules of one family, laid out for the search. */
export type Plan = {
  family: Family
  byMatcher: readonly { rule: Rule; kinds: readonly string[] }[]
  /** Rules that search by themselves. */
  bySearch: readonly Rule[]
  /** Rules by the last name of what is called. */
  byCall: ReadonlyMap<string, readonly CallRule[]>
  /** Finds a name of `byCall` in a text. */
  callNames: RegExp | undefined
}

/** A rule and one whole name of what it looks at; `module` stands in every text that can mean it. */
type CallRule = { rule: Rule; name: string; module: RegExp | undefined }

/** Lays out rules of one family. */
export function planSearch(family: Family, rules: readonly Rule[]): Plan {
  const byCall = new Map<string, CallRule[]>()
  for (const rule of rules) {
    for (const name of rule.calls ?? []) {
      const last = lastName(name)
      byCall.set(last, [...(byCall.get(last) ?? []), { rule, name, module: moduleOf(name) }])
    }
  }
  return {
    family,
    byMatcher: rules.flatMap((rule) => (rule.matcher ? [{ rule, kinds: kindsOf(rule.matcher) }] : [])),
    bySearch: rules.filter(({ search }) => search !== undefined),
    byCall,
    callNames:
      byCall.size > 0 ? new RegExp(`(?<![\\w$])(?:${[...byCall.keys()].join('|')})(?![\\w$])`, 'g') : undefined,
  }
}

/** The first word of a dotted name: a text that does not have it cannot import the rest. */
function moduleOf(name: string): RegExp | undefined {
  const [first = ''] = name.replace(/^new /, '').split('.')
  return name.startsWith('*.') || !name.includes('.')
    ? undefined
    : new RegExp(`(?<!\\w)${first.replace(/[^\w]/g, '\\$&')}(?!\\w)`)
}

function lastName(name: string): string {
  return name.replace(/^new /, '').split('.').at(-1) ?? name
}

/** The kinds that a matcher can match; each rule names them, so that no rule looks at every node. */
function kindsOf({ kind, any, all }: Matcher): readonly string[] {
  if (kind !== undefined) return [String(kind)]
  if (any !== undefined) return any.flatMap(kindsOf)
  const inner = all?.map(kindsOf).find((kinds) => kinds.length > 0)
  if (inner === undefined) throw new Error(`bug: a matcher names no kind: ${JSON.stringify({ any, all })}`)
  return inner
}

/** Searches a tree once for all rules of the plan that the text can have a match of. */
export function searchTree(plan: Plan, context: SourceContext, commentWords: RegExp): Found {
  const { root, text } = context
  const active = plan.byMatcher.filter(({ rule }) => rule.mentions?.test(text) ?? true)
  const syntax = callSyntax[plan.family]
  const calls = callsIn(plan, text)
  const names = new Set(calls.keys())
  const any: Matcher[] = [{ kind: 'ERROR' }, ...active.flatMap(({ rule }) => rule.matcher ?? [])]
  if (names.size > 0) any.push(...syntax.matchers(withAliases(text, names)))
  if (commentWords.test(text)) any.push({ kind: 'comment', regex: commentWords.source })
  const nodes = root.findAll({ rule: { any } })
  const byKind = indexKinds(active)
  const [errors, comments, candidates]: [Node[], Node[], [Rule, Node][]] = [[], [], searchAlone(plan, context)]
  for (const node of nodes) {
    const kind = String(node.kind())
    if (kind === 'ERROR') errors.push(node)
    else if (kind === 'comment') comments.push(node)
    const rules = byKind.get(kind) ?? []
    const isCall = names.size > 0 && syntax.kinds.includes(kind)
    // A rule that alone asks for a kind needs no second look at its matcher.
    const isSole = rules.length === 1 && !isCall && kind !== 'comment'
    for (const rule of rules) if (isSole || fits(node, rule.matcher ?? {})) candidates.push([rule, node])
    if (isCall) candidates.push(...rulesOfCall(calls, node, context))
  }
  return { candidates, errors, comments }
}

/** What rules that search by themselves find. */
function searchAlone({ bySearch }: Plan, { root, language, text }: SourceContext): [Rule, Node][] {
  return bySearch.flatMap((rule): [Rule, Node][] => {
    const isMeant = rule.languages?.includes(language) !== false && rule.mentions?.test(text) !== false
    const nodes = isMeant && rule.search ? root.findAll(rule.search) : []
    return nodes.map((node) => [rule, node])
  })
}

/** The rules for calls that the text can have a match of, by the last name of what is called. */
function callsIn({ byCall, callNames }: Plan, text: string): ReadonlyMap<string, readonly CallRule[]> {
  if (callNames === undefined) return new Map()
  const names = new Set(Array.from(text.matchAll(callNames), ([name]) => name))
  const calls = [...names].map((name) => {
    const rules = (byCall.get(name) ?? []).filter(({ rule, module }) => {
      return module?.test(text) !== false && rule.mentions?.test(text) !== false
    })
    return [name, rules] as const
  })
  return new Map(calls.filter(([, rules]) => rules.length > 0))
}

/** The names together with those that a text may give to the same functions: by `as`, by a pattern, by assignment. */
function withAliases(text: string, names: ReadonlySet<string>): readonly string[] {
  const name = [...names].join('|')
  const renamed = new RegExp(`(?<![\\w$])(?:${name})\\s*(?:as\\s|:)\\s*([\\w$]+)`, 'g')
  const assigned = new RegExp(`(?<![\\w$])([\\w$]+)\\s*:?=\\s*(?:[\\w$.()'":/-]+[.(])?(?:${name})\\s*(?:\\)|;|$)`, 'gm')
  const aliases = [renamed, assigned].flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, alias = '']) => alias),
  )
  return [...new Set([...names, ...aliases])]
}

function indexKinds(active: Plan['byMatcher']): ReadonlyMap<string, readonly Rule[]> {
  const byKind = new Map<string, Rule[]>()
  for (const { rule, kinds } of active) {
    for (const kind of new Set(kinds)) byKind.set(kind, [...(byKind.get(kind) ?? []), rule])
  }
  return byKind
}

/** The name of a call is resolved only where a rule asks for more than its last part. */
function rulesOfCall(
  calls: ReadonlyMap<string, readonly CallRule[]>,
  call: Node,
  context: SourceContext,
): readonly [Rule, Node][] {
  const called = calledAs(call, context)
  const written = calls.get(called.last) ?? []
  const isWhole = written.length > 0 && written.every(({ name }) => name.startsWith('*.'))
  const last = isWhole ? called.last : lastName(called.whole() ?? called.last)
  const candidates = last === called.last ? written : [...written, ...(calls.get(last) ?? [])]
  const found = new Set<Rule>()
  for (const { rule, name } of candidates) if (called.is(name)) found.add(rule)
  return [...found].map((rule) => [rule, call])
}
