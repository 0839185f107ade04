import { findPlaces, type TextRange } from './text-match.ts'
import { foldText, type TextQuery } from './text-query.ts'

/** Characters before the first hit, and in all. */
const leadLength = 40
const snippetLength = 120

/** The part of a body around the first thing that was searched for, on one line; `mark` is what a hit looks like. */
export function snippet(body: string, query: TextQuery, mark: (hit: string) => string): string {
  const flat = body.replace(/\s+/g, ' ').trim()
  const folded = foldText(flat)
  // A few letters change their length with their case; then the places are those of another text.
  const places = folded.length === flat.length ? findPlaces(query, folded) : []
  const start = wholeCharacterAt(flat, Math.max(0, (places[0]?.start ?? 0) - leadLength))
  const end = wholeCharacterAt(flat, Math.min(flat.length, start + snippetLength))
  return `${start > 0 ? '…' : ''}${marked(flat, { start, end }, places, mark)}${end < flat.length ? '…' : ''}`
}

function marked(flat: string, within: TextRange, places: readonly TextRange[], mark: (hit: string) => string): string {
  let text = ''
  let at = within.start
  for (const { start, end } of places) {
    if (start < at || end > within.end) continue
    text += flat.slice(at, start) + mark(flat.slice(start, end))
    at = end
  }
  return text + flat.slice(at, within.end)
}

/** A place in the text that halves no character: `at`, or the one before it. */
function wholeCharacterAt(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at
}
