// Whether a name is one that a pattern with wildcards means. No pattern of theirs becomes a regular expression: those
// of somebody who means ill take for ever. What is left to try again is the last star alone, so that the work is at
// most the length of the pattern times that of the name.

import type { Spend } from './budget.ts'

/** What one place of a pattern takes: a run of any signs, or one sign that passes. */
type PatternSign = 'run' | ((sign: string) => boolean)

export const hasWildcard = (text: string) => /[*?[]/.test(text)

/** Whether a path may be one that a shell's pattern means: `*`, `?` and `[a-z]`, none of which takes a slash. */
export function fitsPath(path: string, pattern: string, spend: Spend): boolean {
  const folders = pattern.split('/')
  const names = path.split('/')
  if (folders.length !== names.length) return false
  return folders.every((folder, at) => walk(placesOf(folder), [...(names[at] ?? '')], spend))
}

/** Whether a text is one that a pattern means in which `*` alone is special, and takes slashes as well. */
export function fitsStars(text: string, pattern: string, spend: Spend): boolean {
  const places = [...pattern].map((sign): PatternSign => (sign === '*' ? 'run' : (other) => other === sign))
  return walk(places, [...text], spend)
}

function walk(places: readonly PatternSign[], signs: readonly string[], spend: Spend): boolean {
  let place = 0
  let run = -1
  let from = 0
  for (let at = 0; at < signs.length; ) {
    spend(1)
    const wanted = places[place]
    if (wanted === 'run') {
      run = place++
      from = at
    } else if (wanted?.(signs[at] ?? '')) {
      place++
      at++
    } else if (run >= 0) {
      place = run + 1
      at = ++from
    } else return false
  }
  while (places[place] === 'run') place++
  return place === places.length
}

function placesOf(pattern: string): readonly PatternSign[] {
  const signs = [...pattern]
  const places: PatternSign[] = []
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] ?? ''
    const set = sign === '[' ? readSet(signs, at) : undefined
    if (set !== undefined) at = set.end
    places.push(set?.place ?? (sign === '*' ? 'run' : sign === '?' ? () => true : (other) => other === sign))
  }
  return places
}

/** A set in brackets that begins at `open`; undefined when it does not end: the bracket is a sign like others then. */
function readSet(signs: readonly string[], open: number): { place: PatternSign; end: number } | undefined {
  const isNot = signs[open + 1] === '!' || signs[open + 1] === '^'
  const begin = open + (isNot ? 2 : 1)
  const end = signs.indexOf(']', begin + 1)
  if (end < 0) return undefined
  // `[[:alpha:]]`: who needs its name to remove something wants not to be read.
  const named = signs[begin] === '[' && signs[begin + 1] === ':' ? signs.indexOf(']', end + 1) : -1
  if (named >= 0) return { place: () => true, end: named }
  const ranges = rangesOf(signs.slice(begin, end))
  return { place: (sign) => ranges.some(([low, high]) => low <= sign && sign <= high) !== isNot, end }
}

function rangesOf(signs: readonly string[]): [string, string][] {
  const ranges: [string, string][] = []
  for (let at = 0; at < signs.length; at++) {
    const low = signs[at] ?? ''
    const isRange = signs[at + 1] === '-' && at + 2 < signs.length
    ranges.push([low, (isRange ? signs[at + 2] : undefined) ?? low])
    if (isRange) at += 2
  }
  return ranges
}
