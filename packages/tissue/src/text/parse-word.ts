import { Failure } from '@switchyard/ground/failure'

/** One of a few words that are given. Exits 2 on any other, with the one that was probably meant, or all. */
export function parseWord<W extends string>(what: string, text: string, words: readonly W[]): W {
  const word = words.find((candidate) => candidate === text)
  if (word !== undefined) return word
  const plain = text.toLowerCase().replaceAll(/[ -]/g, '_')
  const meant = words.find((candidate) => plain !== '' && candidate.replaceAll('-', '_').startsWith(plain))
  const hint = meant === undefined ? `one of ${words.join(', ')}` : `did you mean ${meant}?`
  throw new Failure('usage', `expected ${what}, got "${text}"`, { hint })
}
