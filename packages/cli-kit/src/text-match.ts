import type { TextQuery } from './text-query.ts'

/** Where something stands in a text: from `start` up to `end`. */
export type TextRange = { start: number; end: number }

type Text = TextQuery & { kind: 'text' }

/** Whether a folded text (see `foldText`) has what is asked for. */
export function matches(query: TextQuery, folded: string): boolean {
  if (query.kind === 'text') return !placesOf(query, folded).next().done
  if (query.kind === 'not') return !matches(query.of, folded)
  return query.kind === 'all'
    ? query.of.every((part) => matches(part, folded))
    : query.of.some((part) => matches(part, folded))
}

/** Where in a folded text the query's words and phrases stand, in order; those that must not be there are left out. */
export function findPlaces(query: TextQuery, folded: string): TextRange[] {
  const places = wantedTexts(query).flatMap((text) => [...placesOf(text, folded)])
  return places.sort((left, right) => left.start - right.start)
}

function wantedTexts(query: TextQuery): Text[] {
  if (query.kind === 'text') return query.text === '' ? [] : [query]
  return query.kind === 'not' ? [] : query.of.flatMap(wantedTexts)
}

function* placesOf({ text, isPrefix }: Text, folded: string): Generator<TextRange> {
  for (let start = folded.indexOf(text); start !== -1; start = folded.indexOf(text, start + text.length)) {
    if (!isPrefix || isWordStart(folded, start)) yield { start, end: start + text.length }
    if (text === '') return
  }
}

function isWordStart(folded: string, start: number): boolean {
  return !/[\p{L}\p{N}_]$/u.test(folded.slice(Math.max(0, start - 2), start))
}
