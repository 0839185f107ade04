// What a ledger of open issues leaves to the cache: the ids and keys of all that it has not got.

import type { Status } from '../schema/event-schema.ts'
import { segmentOf } from '../text/issue-id.ts'
import type { Piece } from './file.ts'
import { type Directory, readBeginning, readSorted } from './sorted-lines.ts'

/** An issue that is over, as its links show it; it may still be held where a merge brought a claim. */
export type Linked = {
  readonly title: string
  readonly status: Status
  readonly claim: { readonly by: string; readonly until: number } | null
}

/** Ids and keys that the log had when the snapshot was taken, those of the open issues too. */
export type Elsewhere = {
  /** The largest seq of that time: what has a larger one cannot be a repetition. */
  readonly maxSeq: number
  /** The largest id of an event, as text: what has a larger one has an id of its own. */
  readonly maxId: string
  /** Ids whose last part begins so. */
  readonly idsWith: (beginning: string) => string[]
  /** Whether an id was used at all, be it by an issue that was deleted or only mentioned. */
  readonly isKnown: (id: string) => boolean
  /** Whether it names none: it was deleted, or only mentioned. */
  readonly isHidden: (id: string) => boolean
  readonly findKey: (key: string) => string | undefined
  /** How much of the last part of an open issue's id names no other; undefined for what came later. */
  readonly shownLength: (id: string) => number | undefined
  /** What is shown of an issue that was over, where an open one is linked with it. */
  readonly linked: (id: string) => Linked | undefined
  /** All lines, for who takes the next snapshot. */
  readonly lines: () => Lines
}

/**
 * Sorted lines: `ids` by their last part, which is followed by the prefix; `hidden` ids that name no issue; `keys` as
 * JSON behind their length and beginning, with the id of the issue.
 */
export type Lines = Record<'ids' | 'hidden' | 'keys', string[]>

/** Where these lines lie in a cache file. */
export type Directories = Readonly<Record<keyof Lines, Directory>>

/** Issues that are over and that open ones are linked with. */
export type LinkedIssues = { readonly linked: readonly (readonly [id: string, issue: Linked])[] }

/** Looks into a cache file. */
export function elsewhereIn(
  { maxSeq, maxId, ids, hidden, keys, linked }: Directories & LinkedIssues & Pick<Elsewhere, 'maxSeq' | 'maxId'>,
  shown: ReadonlyMap<string, number>,
  readPiece: (piece: Piece) => string,
): Elsewhere {
  const others = new Map(linked)
  const texts = new Map<number, string>()
  const read = (piece: Piece) => {
    const known = texts.get(piece[0])
    if (known !== undefined) return known
    const text = readPiece(piece)
    texts.set(piece[0], text)
    return text
  }
  const has = (directory: Directory, line: string) => readBeginning(directory, line, read).includes(line)
  return {
    maxSeq,
    maxId,
    idsWith: (beginning) => readBeginning(ids, beginning, read).map(idOfLine),
    isKnown: (id) => shown.has(id) || has(ids, lineOfId(id)) || has(hidden, id),
    isHidden: (id) => has(hidden, id),
    findKey: (key) =>
      readBeginning(keys, keyBeginning(key), read)
        .map(keyOfLine)
        .find(([name]) => name === key)?.[1],
    shownLength: (id) => shown.get(id),
    linked: (id) => others.get(id),
    lines: () => ({ ids: readSorted(ids, read), hidden: readSorted(hidden, read), keys: readSorted(keys, read) }),
  }
}

/** How an id is kept: what names it comes first. */
export function lineOfId(id: string): string {
  const segment = segmentOf(id)
  return `${segment} ${id.slice(0, id.length - segment.length)}`
}

/** The id of a line. */
export function idOfLine(line: string): string {
  const space = line.indexOf(' ')
  return line.slice(space + 1) + line.slice(0, space)
}

/** How the key of an issue is kept. */
export function lineOfKey(key: string, id: string): string {
  return keyBeginning(key) + JSON.stringify([key, id])
}

/** Keys begin alike: what tells them apart is mostly at the end, which therefore comes first. */
function keyBeginning(key: string): string {
  return `${JSON.stringify(key.slice(-12))} `
}

function keyOfLine(line: string): [key: string, id: string] {
  const pair: [string, string] = JSON.parse(line.slice(line.indexOf(' ["') + 1))
  return pair
}
