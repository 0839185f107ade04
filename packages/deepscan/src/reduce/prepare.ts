import type { Finding } from '../finding/finding.ts'
import { normaliseQuote } from '../finding/fingerprint.ts'
import { compareText } from '../text/compare.ts'
import { wordingOf } from './words.ts'

/** A finding with all that comparing it to others needs. */
export type Prepared = {
  finding: Finding
  words: readonly string[]
  /** The words of the title and of the quote as numbers, ascending, which compare faster. */
  title: Int32Array
  quote: Int32Array
  isDenial: boolean
  /** Whether a rule or a linter said it, which says the same thing always in the same words. */
  isRuled: boolean
}

/** Findings in an order that is theirs alone, whatever the one they came in. */
export function prepare(findings: readonly Finding[]): Prepared[] {
  const numbers = new Map<string, number>()
  const numberOf = (word: string) => {
    const number = numbers.get(word) ?? numbers.size
    if (number === numbers.size) numbers.set(word, number)
    return number
  }
  return findings.map((finding) => prepareOne(cleanTitle(finding), numberOf)).sort(comparePrepared)
}

/** Takes the mark of a source that asks for a second look out of a title. */
function cleanTitle(finding: Finding): Finding {
  const marked = /^\s*NEEDS_VERIFICATION\s*:?\s*(?=\S)/i.exec(finding.title)
  if (marked === null) return finding
  return { ...finding, title: finding.title.slice(marked[0].length), verification_required: true }
}

/** Words of a quote that are compared. */
const quoteWordsMax = 50

function prepareOne(finding: Finding, numberOf: (word: string) => number): Prepared {
  const { words, isDenial } = wordingOf(finding.title)
  const quoteWords = new Set(
    normaliseQuote(finding.quote)
      .match(/[\p{L}\p{N}_$]+/gu)
      ?.slice(0, quoteWordsMax),
  )
  return {
    finding,
    words,
    title: Int32Array.from(words, numberOf).sort(),
    quote: Int32Array.from(quoteWords, numberOf).sort(),
    isDenial,
    isRuled: (finding.analyser ?? 'rules') !== 'agent',
  }
}

function comparePrepared({ finding: a }: Prepared, { finding: b }: Prepared): number {
  return (
    comparePlaces(a, b) ||
    compareText(a.id, b.id) ||
    compareText(a.rule, b.rule) ||
    compareText(a.title, b.title) ||
    compareText(JSON.stringify(a), JSON.stringify(b))
  )
}

/** Order by path, line and column. */
export function comparePlaces(a: Finding, b: Finding): number {
  return compareText(a.path, b.path) || a.line - b.line || a.column - b.column
}
