import type { FoundSecret } from './found-secret.ts'

/** Marks of a private key's beginning and end. A text that is a part of a file may hold one without the other. */
const begin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const end = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

const keyLine = /^\s*[A-Za-z0-9+/=]{1,200}\s*$/
const keyHeader = /^\s*(?:[A-Z][A-Za-z-]{2,30}: .{0,200})?\s*$/

/** The lines behind each beginning and before each end of a private key, also where the other mark is cut off. */
export function findCutKeys(text: string): readonly FoundSecret[] {
  const begun = [...text.matchAll(begin)].map(({ index, 0: mark }) => {
    return { rule: 'privatekey', start: index, end: endOfKey(text, index + mark.length) }
  })
  const ended = [...text.matchAll(end)].map(({ index, 0: mark }) => {
    return { rule: 'privatekey', start: startOfKey(text, index), end: index + mark.length }
  })
  return [...begun, ...ended]
}

function endOfKey(text: string, from: number): number {
  let at = from
  for (let next = text.indexOf('\n', at); next >= 0; next = text.indexOf('\n', at)) {
    const following = text.indexOf('\n', next + 1)
    const line = text.slice(next + 1, following < 0 ? text.length : following)
    if (!keyLine.test(line) && !keyHeader.test(line)) break
    at = following < 0 ? text.length : following
    if (following < 0) break
  }
  return at
}

function startOfKey(text: string, mark: number): number {
  let start = mark
  while (start > 0) {
    const previous = text.lastIndexOf('\n', start - 2) + 1
    if (start >= 2 && !keyLine.test(text.slice(previous, start - 1))) break
    start = previous
    if (previous === 0) break
  }
  return start
}
