import type { Finding } from '../finding/finding.ts'
import { type Identity, symbolOf } from '../finding/fingerprint.ts'
import { endOf, type Rule, type Safety } from '../rule/rule.ts'
import type { RuledLanguage } from '../syntax/language.ts'
import type { Node } from '../syntax/parser.ts'
import type { LineColumn } from '../text/source-text.ts'

/** A rule's match, and the part of it to point at, which starts at `start`. */
export type Hit = { rule: Rule; match: Node; anchor: Node; start: number }

type Described = {
  placeOf: (offset: number) => LineColumn
  identify: (identity: Identity) => string
  safety: Safety | undefined
}

/** A longer quote is cut here; its end is that of the part that is quoted. */
const quoteUnitsMax = 2_000

/** The record of a match in a source. */
export function describeHit(
  { rule, anchor, start }: Hit,
  source: { path: string; language: RuledLanguage; text: string },
  { placeOf, identify, safety }: Described,
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
    fixable: safety === 'safe',
    ...(safety === 'offer' ? { offer: true } : {}),
    language: source.language,
  }
}

/** Never cuts a surrogate pair in two. */
function cutQuote(quote: string): string {
  if (quote.length <= quoteUnitsMax) return quote
  return quote.slice(0, quoteUnitsMax).replace(/[\uD800-\uDBFF]$/, '')
}
