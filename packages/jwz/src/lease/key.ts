// What a lease is on. A key is a name (`deploy`, `port:8080`) or a path pattern (`src/**`), and which of the two can be
// seen from its text alone: names have neither slash nor wildcard, or begin with a word and a colon.
import { Failure } from '@switchyard/ground/failure'

/** Characters a key may have; a record with all its keys has to stay far below a line's 32 KB. */
const keyLengthMax = 1000
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]*:/u

/** Whether a key, as given or as stored, is a path pattern rather than a name. */
export function isPathKey(key: string): boolean {
  return key === '.' || key === '..' || (/[/*?]/.test(key) && !namePattern.test(key))
}

/**
 * A key as it is stored: a name as it is, a path pattern relative to `top` (the folder at the top of the work tree),
 * given relative to `cwd` or absolute. The stored form of a pattern always shows that it is one. Fails as bad input on
 * an empty or over-long key, on control characters, and on a path outside of `top`.
 */
export function parseKey(text: string, { cwd, top }: { cwd: string; top: string }): string {
  if (text.trim() === '' || text.length > keyLengthMax || /\p{Cc}/u.test(text)) {
    const shown = text.length > 60 ? `${JSON.stringify(text.slice(0, 60))}… of ${text.length}` : JSON.stringify(text)
    throw new Failure('usage', `a key has 1 to ${keyLengthMax} characters and no control characters; got ${shown}`)
  }
  return isPathKey(text) ? pathKey(text, text.startsWith('/') ? '' : cwd, top) : text
}

/** A path relative to the top of the work tree as the key that names just it. */
function keyOfPath(path: string): string {
  return isPathKey(path) ? path : `./${path}`
}

function pathKey(text: string, folder: string, top: string): string {
  const above = segmentsOf(top)
  const segments = resolved([...segmentsOf(folder), ...segmentsOf(text)], text)
  if (above.some((segment, at) => segment !== segments[at])) {
    throw new Failure('usage', `a path pattern lies inside the work tree ${top}; got ${JSON.stringify(text)}`, {
      hint: 'what is no file of it has a name, such as deploy or host:/etc',
    })
  }
  const rest = segments.slice(above.length)
  return rest.length === 0 ? '**' : keyOfPath(rest.join('/'))
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.')
}

function resolved(segments: readonly string[], text: string): string[] {
  const kept: string[] = []
  for (const segment of segments) {
    const last = kept.at(-1)
    if (segment === '..' && last !== undefined && /[*?]/.test(last))
      throw new Failure('usage', `a path pattern has no ".." behind a wildcard; got ${JSON.stringify(text)}`)
    if (segment === '..') kept.pop()
    else if (segment !== '**' || last !== '**') kept.push(segment)
  }
  return kept
}
