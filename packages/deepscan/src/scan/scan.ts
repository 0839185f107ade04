import type { Finding } from '../finding/finding.ts'
import { type Identity, numberIdentities, symbolOf } from '../finding/fingerprint.ts'
import { planRewrite } from '../rule/rewrite.ts'
import { type Edit, endOf, type Rule, type SourceContext, startOf } from '../rule/rule.ts'
import { rulesFor } from '../rules/all.ts'
import { type Family, familyOf, type RuledLanguage } from '../syntax/language.ts'
import { countSyntaxErrors, type Node, type Parse } from '../syntax/parser.ts'
import { indexLines, type LineColumn } from '../text/source-text.ts'
import { readSuppressions } from './suppress.ts'

/** A source to look through. `path` is what findings are to say. */
export type ScanSource = { path: string; language: RuledLanguage; text: string }

/** A finding with the edits that mend it, when there are any. */
export type Match = { finding: Finding; edits: readonly Edit[] | undefined }

export type Scan = {
  /** By line, column and rule. */
  matches: readonly Match[]
  /** Places that the grammar could not read; rules still see the rest. */
  syntaxErrors: number
  /** Rules that were given up on this file because they matched in too many places. */
  overflowed: readonly string[]
}

/**
 * A rule that has more candidates in one file sees machine-made text, where looking at each costs more than it is
 * worth.
 */
const candidatesMax = 5_000

/** A longer quote is cut here; its end is that of the part that is quoted. */
const quoteUnitsMax = 2_000

/**
 * Looks through one source with the rules that are for its language; nothing comes back when it is nested too deeply
 * for that.
 */
export function scanSource(parse: Parse, source: ScanSource, selected: readonly Rule[]): Scan | 'nested too deeply' {
  const root = parse(source.language, source.text)
  if (isTooDeep(root)) return 'nested too deeply'
  const placeOf = indexLines(source.text)
  const isSuppressed = readSuppressions(root, source.text, placeOf)
  const family = familyOf(source.language)
  const context = { language: source.language, text: source.text, root, usesOf: indexNames(root, family) }
  const overflowed: string[] = []
  const hits = rulesFor(family, selected).flatMap((rule) => {
    if (rule.mentions?.test(source.text) === false) return []
    const candidates = root.findAll({ rule: rule.matcher })
    if (candidates.length <= candidatesMax) return findHits(rule, candidates, context)
    overflowed.push(rule.id)
    return []
  })
  const identify = numberIdentities()
  const matches = hits
    .sort((a, b) => a.start - b.start || compareText(a.rule.id, b.rule.id))
    .map((hit) => {
      const edits = planRewrite(hit.rule, hit.match, context)
      return { finding: describeHit(hit, source, { placeOf, identify, fixable: edits !== undefined }), edits }
    })
    .filter(({ finding }) => !isSuppressed(finding.line, finding.rule))
  return { matches, syntaxErrors: countSyntaxErrors(root), overflowed }
}

type Hit = { rule: Rule; match: Node; anchor: Node; start: number }

function findHits(rule: Rule, candidates: readonly Node[], context: SourceContext): readonly Hit[] {
  return candidates
    .filter((match) => rule.accepts?.(match, context) ?? true)
    .map((match) => {
      const anchor = rule.anchor?.(match) ?? match
      return { rule, match, anchor, start: startOf(anchor) }
    })
}

type Described = { placeOf: (offset: number) => LineColumn; identify: (identity: Identity) => string; fixable: boolean }

function describeHit(
  { rule, anchor, start }: Hit,
  source: ScanSource,
  { placeOf, identify, fixable }: Described,
): Finding {
  const whole = source.text.slice(start, endOf(anchor))
  const quote = cutQuote(whole)
  const [from, to] = [placeOf(start), placeOf(start + quote.length)]
  const seen = anchor.range().start
  if (anchor.text() !== whole || seen.line + 1 !== from.line || seen.column + 1 !== from.column) {
    throw new Error(`bug: the quote of ${rule.id} does not stand at ${source.path}:${from.line}:${from.column}`)
  }
  return {
    v: 1,
    type: 'finding',
    id: identify({ rule: rule.id, path: source.path, symbol: symbolOf(anchor), quote }),
    rule: rule.id,
    title: rule.title,
    severity: rule.severity,
    confidence: rule.confidence,
    category: rule.category,
    path: source.path,
    line: from.line,
    column: from.column,
    end_line: to.line,
    end_column: to.column,
    quote,
    message: rule.message,
    fixable,
    language: source.language,
  }
}

/** Never cuts a surrogate pair in two. */
function cutQuote(quote: string): string {
  if (quote.length <= quoteUnitsMax) return quote
  return quote.slice(0, quoteUnitsMax).replace(/[\uD800-\uDBFF]$/, '')
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const nameKinds: Record<Family, readonly string[]> = {
  javascript: ['identifier', 'shorthand_property_identifier_pattern'],
  python: ['identifier'],
}

/** Finds the uses of a name in a tree. The tree is searched once, at the first question, however many follow. */
function indexNames(root: Node, family: Family): (name: string) => readonly Node[] {
  let uses: Map<string, Node[]> | undefined
  return (name) => {
    uses ??= collectNames(root, family)
    return uses.get(name) ?? []
  }
}

function collectNames(root: Node, family: Family): Map<string, Node[]> {
  const uses = new Map<string, Node[]>()
  for (const node of root.findAll({ rule: { any: nameKinds[family].map((kind) => ({ kind })) } })) {
    const name = node.text()
    const known = uses.get(name)
    if (known === undefined) uses.set(name, [node])
    else known.push(node)
  }
  return uses
}

/**
 * Deeper trees are not scanned: a node's ancestors are found from the root, so that rules on a deep tree take time by
 * its square.
 * Written code stays below a tenth of this.
 */
const depthMax = 1_000

/** Nodes that only wrap another have its length, but there are never this many in a row. */
const wrappersMax = 4

/**
 * Whether the tree is too deep for rules. Branches too short to reach the limit are not entered, so ordinary trees
 * are judged at once.
 */
function isTooDeep(root: Node): boolean {
  const open = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    if (depth >= depthMax) return true
    for (const child of node.children()) {
      const { start, end } = child.range()
      if (end.index - start.index > (depthMax - depth) / wrappersMax) open.push({ node: child, depth: depth + 1 })
    }
  }
  return false
}
