import { Failure } from '@switchyard/cli-kit/failure'

/** What a message must contain: every one of these, in any order. Lower case. */
export type Query = readonly string[]

function phrasesIn(word: string): string[] {
  const phrases = [...word.matchAll(/"([^"]+)"|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole)
  const isOnlyQuotes = phrases.length === 0 && word.trim() !== ''
  return isOnlyQuotes ? [word.trim()] : phrases
}

/** Words and "quoted phrases" as what must be found; everything else is literal, so no query is a syntax error. */
export function parseQuery(words: readonly string[]): Query {
  const phrases = words.flatMap(phrasesIn)
  if (phrases.length === 0)
    throw new Failure('usage', 'expected words to search for, got none', { hint: 'jwz search race condition' })
  return phrases.map((phrase) => phrase.toLowerCase())
}

/** Whether a text has all that is asked for. */
export function matches(query: Query, text: string): boolean {
  const lower = text.toLowerCase()
  return query.every((phrase) => lower.includes(phrase))
}
