// Retention without rewriting: the active file is renamed to a sealed segment, and a marker line in it says where
// its judged part ends.

import { statAt } from '@switchyard/ground/at-path'
import { syncFolder } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { dirname, renameSync } from '@switchyard/ground/machine'
import { appendToExisting } from './append.ts'
import { readDropped } from './dropped.ts'
import { readSegmentBackwards } from './read-backwards.ts'
import { transact } from './section.ts'
import { isSegmentUlid, openSegment, type Segment, sealedPath, sealedUlids, sealMarker } from './segments.ts'

/**
 * Seals the log at `path`: its active file becomes the segment `t.<ulid>.jsonl`, whose path is returned; the next
 * append starts a new one. Undefined when there is nothing to seal. Writers need not stop: a line that comes late
 * lands in the sealed file and is read there. When a clock has gone backwards the name is moved up, so that names
 * keep the order of the log.
 */
export async function seal(path: string, ulid: string): Promise<string | undefined> {
  if (!isSegmentUlid(ulid))
    throw new Failure('usage', `a ULID of 26 upper-case characters was expected for a segment, got ${ulid}`)
  return transact(path, () => {
    markSealed(path)
    if (!statAt(path)?.size) return undefined
    // A segment named before one that was dropped would be taken for dropped.
    const last = sealedUlids(path).at(-1) ?? readDropped(path)?.upTo
    const name = last === undefined || ulid > last ? ulid : successor(last)
    const sealed = sealedPath(path, name)
    renameSync(path, sealed)
    syncFolder(dirname(path))
    appendToExisting(sealed, sealMarker(name))
    return sealed
  })
}

/**
 * Gives each sealed segment its marker where a sealer was killed before it could. Any process may do so: the first
 * marker counts.
 */
export function markSealed(path: string): void {
  for (const ulid of sealedUlids(path)) {
    const sealed = sealedPath(path, ulid)
    const segment = openSegment(sealed, ulid)
    if (segment !== undefined && !hasMarker(segment, sealMarker(ulid))) appendToExisting(sealed, sealMarker(ulid))
  }
}

/** Looks from the end, where the marker is but for late lines. */
function hasMarker(segment: Segment, marker: string): boolean {
  for (const line of readSegmentBackwards(segment)) if (line.text === marker) return true
  return false
}

/** The next ULID in order. */
function successor(ulid: string): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const head = ulid.replace(/Z*$/, '')
  const next = alphabet[alphabet.indexOf(head.slice(-1)) + 1]
  if (next === undefined) throw new Error('bug: no ULID follows the last one')
  return `${head.slice(0, -1)}${next}`.padEnd(ulid.length, '0')
}
