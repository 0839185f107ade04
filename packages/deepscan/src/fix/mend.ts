import { Failure } from '@switchyard/ground/failure'
import type { Wanted } from '../finding/finding.ts'
import { normaliseQuote } from '../finding/fingerprint.ts'
import { applyEdits } from '../rule/rewrite.ts'
import type { Edit, Rule } from '../rule/rule.ts'
import { rules } from '../rules/all.ts'
import { type Match, type Scan, type ScanSource, scanSource } from '../scan/scan.ts'
import type { Parse } from '../syntax/parser.ts'

/** A mended text and what was changed in it. */
export type Mended = { match: Match; edits: readonly Edit[]; text: string }

/**
 * Mends one finding in a text, and proves it by scanning the result: the finding is gone, and no rule finds more than
 * before.
 * An offer is taken with `withOffers` alone. Exits 1 when there is no rewrite or the proof fails, 3 when the text does not have the finding any more.
 */
export function mendSource(
  parse: Parse,
  source: ScanSource,
  wanted: Wanted,
  { withOffers = false, all = rules }: { withOffers?: boolean; all?: readonly Rule[] } = {},
): Mended {
  const rule = all.find(({ id }) => id === wanted.rule)
  if (rule === undefined) {
    throw new Failure('failed', `there is no rule ${wanted.rule} here, so there is no rewrite`, {
      hint: 'mend it by hand',
    })
  }
  const before = scanShallow(parse, source, all)
  const match = locateMatch(before.matches, wanted)
  if (match === undefined) {
    throw new Failure('notFound', `${wanted.rule} has nothing to mend in ${wanted.path}: what it quoted is gone`)
  }
  if (match.edits === undefined) {
    throw new Failure('failed', `${wanted.rule} has no safe rewrite for ${placeOf(match)}`, { hint: 'mend it by hand' })
  }
  if (!match.finding.fixable && !withOffers) {
    throw new Failure('failed', `the rewrite of ${rule.id} for ${placeOf(match)} is an offer: ${doubtOf(rule)}`, {
      hint: 'look at it with fix --offers --dry-run',
    })
  }
  const text = applyEdits(source.text, match.edits)
  assertBetter(before, scanShallow(parse, { ...source, text }, all), match)
  return { match, edits: match.edits, text }
}

/** What cannot be seen of the rewrite of a rule, as a clause. */
function doubtOf({ proof = '' }: Rule): string {
  return `it cannot be told ${proof.slice(0, 1).toLowerCase()}${proof.slice(1).replace(/\.$/, '')}`
}

/**
 * The match that the finding stands for now: the one of its fingerprint, else the nearest of the rule with the same
 * quote.
 */
export function locateMatch(matches: readonly Match[], wanted: Wanted): Match | undefined {
  const ofRule = matches.filter(({ finding }) => finding.rule === wanted.rule)
  const same = ofRule.find(({ finding }) => finding.id === wanted.id)
  if (same !== undefined) return same
  const distance = ({ finding }: Match) => Math.abs(finding.line - wanted.line)
  return ofRule
    .filter(({ finding }) => normaliseQuote(finding.quote) === normaliseQuote(wanted.quote))
    .sort((a, b) => distance(a) - distance(b))[0]
}

function scanShallow(parse: Parse, source: ScanSource, all: readonly Rule[]): Scan {
  const scan = scanSource(parse, source, all)
  if (scan !== 'nested too deeply') return scan
  throw new Failure('failed', `${source.path} is nested too deeply to be scanned`, { hint: 'mend it by hand' })
}

function assertBetter(before: Scan, after: Scan, match: Match): void {
  const [was, is] = [countByRule(before), countByRule(after)]
  const { rule } = match.finding
  const fault =
    after.syntaxErrors > before.syntaxErrors
      ? 'would break the syntax'
      : (is.get(rule) ?? 0) >= (was.get(rule) ?? 0)
        ? 'would not remove the finding'
        : [...is].some(([id, count]) => count > (was.get(id) ?? 0))
          ? 'would bring a new finding'
          : undefined
  if (fault === undefined) return
  throw new Failure('failed', `the rewrite of ${rule} ${fault} at ${placeOf(match)}; nothing was written`, {
    hint: 'mend it by hand',
  })
}

function countByRule({ matches }: Scan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { finding } of matches) counts.set(finding.rule, (counts.get(finding.rule) ?? 0) + 1)
  return counts
}

function placeOf({ finding }: Match): string {
  return `${finding.path}:${finding.line}`
}
