import type { Finding } from '../finding/finding.ts'
import { numberIdentities } from '../finding/fingerprint.ts'
import { indexNames } from '../rule/names.ts'
import { indexMeanings } from '../rule/resolve.ts'
import { planRewrite } from '../rule/rewrite.ts'
import { type Edit, endOf, isWithin, type Rule, type SourceContext, startOf } from '../rule/rule.ts'
import { traceValues } from '../rule/trace.ts'
import { rulesFor } from '../rules/all.ts'
import { familyOf, type RuledLanguage } from '../syntax/language.ts'
import type { Node, Parse } from '../syntax/parser.ts'
import { compareText } from '../text/compare.ts'
import { indexLines } from '../text/source-text.ts'
import { isTooDeep } from './depth.ts'
import { describeHit, type Hit } from './describe.ts'
import { type Plan, planSearch, searchTree } from './search.ts'
import { readSuppressions, suppressionWords } from './suppress.ts'

/** A source to look through. `path` is what findings are to say. */
export type ScanSource = { path: string; language: RuledLanguage; text: string }

/** How a source is looked through, beside the rules. */
export type ScanOptions = { isForeignHeard?: boolean }

/** A finding with the edits that mend it, when there are any. */
export type Match = { finding: Finding; edits: readonly Edit[] | undefined }

export type Scan = {
  /** By line, column and rule. */
  matches: readonly Match[]
  /** Places that the grammar could not read; rules still see the rest. */
  syntaxErrors: number
  /** Rules that were given up on this file because they matched in too many places. */
  overflowed: readonly string[]
  lines: number
}

/**
 * A rule that has more candidates in one file sees machine-made text, where looking at each costs more than it is
 * worth.
 */
const candidatesMax = 5_000

/**
 * Looks through one source with the rules that are for its language; nothing comes back when it is nested too deeply
 * for that.
 */
export function scanSource(
  parse: Parse,
  source: ScanSource,
  selected: readonly Rule[],
  { isForeignHeard = true }: ScanOptions = {},
): Scan | 'nested too deeply' {
  const language = grammarFor(source)
  const root = parse(language, source.text)
  const context = describeSource(root, { ...source, language })
  const found = searchTree(planFor(source.language, selected), context, suppressionWords)
  if (found.candidates.length > 0 && isTooDeep(root)) return 'nested too deeply'
  const { accepted, overflowed } = judge(found.candidates, context)
  const placeOf = indexLines(source.text)
  const isBroken = brokenLines(found.errors)
  const isSuppressed = readSuppressions(found.comments, { text: source.text, placeOf, isForeignHeard })
  const identify = numberIdentities()
  const matches = outermost(accepted)
    .filter(({ anchor, match }) => !isBroken(match) && !isBroken(anchor))
    .map((hit) => {
      const edits = planRewrite(hit.rule, hit.match, context)
      const safety = edits === undefined ? undefined : safetyOf(hit, context)
      return { rule: hit.rule, finding: describeHit(hit, source, { placeOf, identify, safety }), edits }
    })
    .filter(({ finding, rule }) => !isSuppressed(finding.line, rule))
    .map(({ finding, edits }) => ({ finding, edits }))
  return {
    matches,
    syntaxErrors: found.errors.length,
    overflowed,
    lines: placeOf(source.text.length).line - (/(?:^|\n)$/.test(source.text) ? 1 : 0),
  }
}

/** Types of Flow are those of TypeScript, nearly; as JavaScript they read as comparisons. */
function grammarFor({ language, text }: ScanSource): RuledLanguage {
  return language === 'javascript' && /@flow\b/.test(text.slice(0, 2_000)) ? 'tsx' : language
}

function describeSource(root: Node, { language, text }: ScanSource): SourceContext {
  const usesOf = indexNames(root, language)
  const { resolve, bindingsOf } = indexMeanings({ language, root, usesOf })
  return { language, text, root, usesOf, resolve, traceOf: traceValues({ resolve, bindingsOf, usesOf }) }
}

let plans: { selected: readonly Rule[]; byFamily: Map<string, Plan> } | undefined

function planFor(language: RuledLanguage, selected: readonly Rule[]): Plan {
  if (plans?.selected !== selected) plans = { selected, byFamily: new Map() }
  const family = familyOf(language)
  const plan = plans.byFamily.get(family) ?? planSearch(family, rulesFor(family, selected))
  plans.byFamily.set(family, plan)
  return plan
}

function judge(candidates: readonly (readonly [Rule, Node])[], context: SourceContext) {
  const counts = new Map<Rule, number>()
  for (const [rule] of candidates) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  const overflowed = [...counts].filter(([, count]) => count > candidatesMax).map(([rule]) => rule)
  const accepted = candidates
    .filter(([rule, match]) => !overflowed.includes(rule) && (rule.accepts?.(match, context) ?? true))
    .map(([rule, match]): Hit => {
      const anchor = rule.anchor?.(match) ?? match
      return { rule, match, anchor, start: startOf(anchor) }
    })
  return { accepted, overflowed: overflowed.map(({ id }) => id).sort() }
}

/** By place and rule; of matches of one rule that lie in each other the outermost alone. */
function outermost(hits: readonly Hit[]): readonly Hit[] {
  const ordered = [...hits].sort((a, b) => a.start - b.start || compareText(a.rule.id, b.rule.id))
  const kept = new Map<Rule, Hit>()
  const byLength = [...ordered].sort((a, b) => startOf(a.match) - startOf(b.match) || endOf(b.match) - endOf(a.match))
  const inner = new Set<Hit>()
  for (const hit of byLength) {
    const last = kept.get(hit.rule)
    if (last !== undefined && isWithin(last.match, hit.match) && isWithin(last.anchor, hit.anchor)) inner.add(hit)
    else kept.set(hit.rule, hit)
  }
  return ordered.filter((hit) => !inner.has(hit))
}

/** Tells whether a node shares a line with a place that the grammar could not read: what it is there is a guess. */
function brokenLines(errors: readonly Node[]): (node: Node) => boolean {
  const ranges = errors.map((error) => error.range())
  return (node) => {
    if (ranges.length === 0) return false
    const { start, end } = node.range()
    return ranges.some((broken) => broken.start.line <= end.line && start.line <= broken.end.line)
  }
}

function safetyOf({ rule, match }: Hit, context: SourceContext): 'safe' | 'offer' {
  return rule.safety === 'safe' || rule.isProven?.(match, context) === true ? 'safe' : 'offer'
}
