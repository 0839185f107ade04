// Issue ids: `<prefix>-<12 characters>`, random or out of a key, stored whole, shown as short as they stay unique.
import { Failure } from '@switchyard/ground/failure'
import { partOfKey } from './key-id.ts'

const randomLength = 12
const shownLengthMin = 4
const prefixLengthMax = 16
const candidatesMax = 8

/** Prefix of the ids made in a folder of this name: `My App!` gives `my-app`. */
export function prefixOf(folder: string): string {
  const words = folder.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const cut = words.replace(/^-+/, '').slice(0, prefixLengthMax).replace(/-+$/, '')
  return cut === '' ? 'issue' : cut
}

/** A prefix that the user chose, as it stands; anything but the form that ids can carry is refused. */
export function parsePrefix(text: string): string {
  if (text.length <= prefixLengthMax && prefixOf(text) === text) return text
  throw new Failure(
    'usage',
    `expected a prefix of at most ${prefixLengthMax} of a-z, 0-9 and inner hyphens, got "${text}"`,
    {
      hint: `for example ${prefixOf(text)}`,
    },
  )
}

/** What an id is made of: that of an issue with a key follows from the key, any other is random. */
type IdOrigin = { readonly prefix: string; readonly ulid: () => string; readonly key?: string | undefined }

/** An id of 60 bits that `isTaken` does not know: from the key, or else from the random end of a ULID. */
export function makeIssueId({ prefix, ulid, key }: IdOrigin, isTaken: (id: string) => boolean): string {
  for (let attempt = 0; ; attempt += 1) {
    const part = key === undefined ? ulid().slice(-randomLength).toLowerCase() : partOfKey(key, attempt)
    const id = `${prefix}-${part}`
    if (!isTaken(id)) return id
  }
}

/** The short form of an id that `length` characters of its last part tell from others. */
export function shortForm(id: string, length: number): string {
  const segment = segmentOf(id)
  return id.slice(0, id.length - segment.length) + segment.slice(0, length)
}

/** How many characters of the last part tell an id from a neighbour, and how many are shown at least. */
export function lengthBeside(id: string, other: string): number {
  return Math.max(shownLengthMin, sharedLength(segmentOf(id), segmentOf(other)) + 1)
}

/** The shortest form, of at least four characters after the prefix, by which each of these ids is named by no other. */
export function shortIds(ids: Iterable<string>): Map<string, string> {
  const sorted = [...ids].map((id) => ({ id, segment: segmentOf(id) })).sort((a, b) => (a.segment < b.segment ? -1 : 1))
  const shorts = new Map<string, string>()
  sorted.forEach(({ id, segment }, index) => {
    const shared = Math.max(
      sharedLength(segment, sorted[index - 1]?.segment ?? ''),
      sharedLength(segment, sorted[index + 1]?.segment ?? ''),
    )
    const length = Math.max(shownLengthMin, shared + 1)
    shorts.set(id, id.slice(0, id.length - segment.length) + segment.slice(0, length))
  })
  return shorts
}

/**
 * The one id that `name` stands for: a whole id, or the beginning of its last segment with or without its prefix, in
 * either case. Exits 3 when there is none and 4, naming them, when there are several.
 */
export function findIssueId(ids: Iterable<string>, name: string): string {
  return requireOne(matchIds(ids, name), name)
}

/** Refuses a name (exit 3) that is only that of a deleted issue, if there is one. */
export function refuseDeleted([id]: readonly string[], name: string): void {
  if (id === undefined) return
  throw new Failure('notFound', `expected the id of an issue, got "${name}", which names none`, {
    hint: `${id} was deleted, see tissue history; tissue reopen brings it back`,
  })
}

/** The ids that `name` may stand for, of those that are there; only itself when it is the whole id of one. */
export function matchIds(ids: Iterable<string>, name: string, isThere = (_id: string) => true): string[] {
  const wanted = name.toLowerCase()
  const found: string[] = []
  for (const id of ids) {
    if (!names(wanted, id) || !isThere(id)) continue
    if (id === wanted) return [id]
    found.push(id)
  }
  return found
}

/** The only one of the ids that a name may stand for; exits 3 and 4 as `findIssueId`. */
export function requireOne(found: readonly string[], name: string): string {
  const [first] = found
  if (first === undefined) {
    throw new Failure('notFound', `expected the id of an issue, got "${name}", which names none`, {
      hint: 'see tissue list --all',
    })
  }
  if (found.length === 1) return first
  const shown = [...found].sort().slice(0, candidatesMax).join(', ')
  const more = found.length > candidatesMax ? ` and ${found.length - candidatesMax} more` : ''
  throw new Failure('ambiguous', `expected one issue, "${name}" names ${found.length}: ${shown}${more}`, {
    hint: 'give more characters',
  })
}

function names(wanted: string, id: string): boolean {
  if (wanted === '') return false
  const segment = segmentOf(id)
  if (segment.startsWith(wanted)) return true
  return wanted.length > id.length - segment.length && id.startsWith(wanted)
}

/** The last part of an id: what is random, and what names it. */
export function segmentOf(id: string): string {
  return id.slice(id.lastIndexOf('-') + 1)
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
