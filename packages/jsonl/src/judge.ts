// Whether a conditional record of a log counts: read from the nearest record that counts whatever came before it, and
// no further, so that the newest of a million costs no more than the newest of ten.

import { Failure } from '@switchyard/ground/failure'
import { closeSync } from '@switchyard/ground/machine'
import { isExpected } from './conditional.ts'
import { readDropped } from './dropped.ts'
import { judgedEnd, judgedLinesBackwards, openByInode, settledInodes } from './judged-lines.ts'
import { parseRecord } from './parse.ts'
import { isContent, type Line, linesIn } from './read.ts'
import type { Segment } from './segments.ts'

/**
 * What a record with `expect` comes to: it counts, it is void, it is a repetition of one that stands shortly before it,
 * or that is not decided yet, because a segment before it was left without its marker (see `markSealed`).
 */
export type LineVerdict = 'counts' | 'void' | 'repeats' | 'unsettled'

/** Where a line lies: as a `Line` and the `Position` of an append say. */
type LineExtent = { inode: number; offset: number; end: number }

/** What judging needs of a record, and where it is. */
type Candidate = LineExtent & { id: string; record: Record<string, unknown> }

/** The newest record that counts; without a line when its segment has been dropped. */
export type Head = { id: string; line: Line | undefined }

/** Records, or the lengths of other lines, newest first; what lies beyond the first `judged` was not folded from its head. */
type Span = { lines: readonly (Candidate | number)[]; judged: number; isWhole: boolean }

/** Which records take part; all others are as if they were not there. */
export type TakesPart = (record: Record<string, unknown>) => boolean

/** Bytes of judged lines behind which the same id is no repetition any more but a record of its own. */
export const repeatBytesMax = 8 * 1024
/** So much is judged at once at least: going back by single records would read the same lines again and again. */
const spanBytesMin = 64 * 1024
const dropsMax = 8

/** Judged records from oldest to newest. */
class Fold {
  head: string | null
  headAt: LineExtent | undefined
  readonly #recent = new Map<string, number>()
  #bytes = 0

  constructor(head: string | null) {
    this.head = head
  }

  pass(bytes: number): void {
    this.#bytes += bytes
  }

  take(candidate: Candidate): LineVerdict {
    const { id, record, offset, end } = candidate
    const previousEnd = this.#recent.get(id)
    const isRepetition = previousEnd !== undefined && this.#bytes - previousEnd <= repeatBytesMax
    this.pass(end - offset)
    this.#remember(id)
    if (isRepetition) return 'repeats'
    if (!isExpected(record, this.head)) return 'void'
    this.head = id
    this.headAt = candidate
    return 'counts'
  }

  #remember(id: string): void {
    this.#recent.delete(id)
    this.#recent.set(id, this.#bytes)
    for (const [old, end] of this.#recent) {
      if (this.#bytes - end <= repeatBytesMax) return
      this.#recent.delete(old)
    }
  }
}

/** Judges the conditional records of one log. For one pass over it, in either direction. */
export class Judge {
  readonly #path: string
  readonly #takesPart: TakesPart
  readonly #ends = new Map<string, number>()
  readonly #verdicts = new Map<string, LineVerdict>()
  #settled: readonly number[] = []
  #reached: { fold: Fold; inode: number; end: number } | undefined

  constructor(path: string, takesPart: TakesPart = () => true) {
    this.#path = path
    this.#takesPart = takesPart
  }

  /** The verdict on the record with `expect` that lies there; void when its file is no longer part of the log. */
  verdict(place: LineExtent): LineVerdict {
    const known = this.#verdicts.get(keyOf(place))
    if (known !== undefined) return known
    const segment = openByInode(this.#path, place.inode)
    if (segment === undefined) return 'void'
    try {
      if (place.offset >= this.#endOf(segment)) return 'void'
      if (this.#reached?.inode === place.inode && place.offset >= this.#reached.end)
        return this.#foldOn(this.#reached, linesIn(segment, this.#reached.end), place)
    } finally {
      closeSync(segment.fd)
    }
    return this.#foldBack(place)
  }

  /** The newest record that counts, in all the log or up to the end of a line; null when there is none. */
  head(upTo?: { inode: number; end: number }): Head | null {
    this.#settled = settledInodes(this.#path)
    const { head, headAt } = this.#foldUpTo(upTo)
    return head === null ? null : { id: head, line: headAt && this.#lineAt(headAt) }
  }

  #endOf(segment: Segment): number {
    const { ulid } = segment
    const end = this.#ends.get(ulid ?? '') ?? judgedEnd(segment)
    // The first marker is where it is for ever.
    if (ulid !== undefined && end < segment.size) this.#ends.set(ulid, end)
    return end
  }

  #foldOn(reached: { fold: Fold; end: number }, lines: Iterable<Line>, place: LineExtent): LineVerdict {
    for (const line of lines) {
      if (line.offset > place.offset) break
      if (!isContent(line.text)) continue
      const candidate = this.#candidate(line)
      const verdict = candidate && reached.fold.take(candidate)
      if (!candidate) reached.fold.pass(line.end - line.offset)
      reached.end = line.end
      if (line.offset === place.offset) return verdict ?? 'void'
    }
    return 'void'
  }

  #foldBack(place: LineExtent): LineVerdict {
    if (!this.#settled.includes(place.inode)) this.#settled = settledInodes(this.#path)
    if (!this.#settled.includes(place.inode)) return 'unsettled'
    this.#verdicts.clear()
    const fold = this.#foldUpTo(place)
    this.#reached = { fold, inode: place.inode, end: place.end }
    return this.#verdicts.get(keyOf(place)) ?? 'void'
  }

  /** Folds what has to be folded; again where segments were dropped meanwhile: the head before them is another. */
  #foldUpTo(place: { inode: number; end: number } | undefined): Fold {
    for (let attempt = 0; attempt < dropsMax; attempt++) {
      const dropped = readDropped(this.#path)
      const span = this.#spanUpTo(place)
      if (!span.isWhole) return this.#foldSpan(span, null)
      if (readDropped(this.#path)?.upTo === dropped?.upTo) return this.#foldSpan(span, dropped?.head ?? null)
      this.#settled = settledInodes(this.#path)
    }
    throw new Failure('conflict', `segments of ${this.#path} were dropped ${dropsMax} times while it was read`, {
      hint: 'try again',
    })
  }

  /**
   * What is folded to judge the newest line of it, newest first: back to a record without `expect`, and as far beyond
   * as shows that it is not itself a repetition.
   */
  #spanUpTo(place: { inode: number; end: number } | undefined): Span {
    const lines: (Candidate | number)[] = []
    let bytes = 0
    let anchor: { id: string; bytes: number; count: number } | undefined
    for (const line of judgedLinesBackwards(this.#path, this.#settled, place)) {
      const candidate = this.#candidate(line)
      const length = line.end - line.offset
      lines.push(candidate ?? length)
      bytes += length
      if (candidate?.id === anchor?.id) anchor = undefined
      if (candidate && !('expect' in candidate.record) && bytes >= spanBytesMin)
        anchor ??= { id: candidate.id, bytes, count: lines.length }
      if (anchor && bytes - anchor.bytes > repeatBytesMax) return { lines, judged: anchor.count, isWhole: false }
    }
    return { lines, judged: lines.length, isWhole: true }
  }

  #foldSpan({ lines, judged }: Span, head: string | null): Fold {
    const fold = new Fold(head)
    for (const [at, line] of [...lines.entries()].reverse()) {
      if (typeof line === 'number') fold.pass(line)
      else {
        const verdict = fold.take(line)
        if (at < judged && 'expect' in line.record) this.#verdicts.set(keyOf(line), verdict)
      }
    }
    return fold
  }

  #candidate(line: Line): Candidate | undefined {
    const record = parseRecord(line)
    if (record === undefined || typeof record.id !== 'string' || !this.#takesPart(record)) return undefined
    const { inode, offset, end } = line
    return { inode, offset, end, id: record.id, record: 'expect' in record ? { expect: record.expect } : {} }
  }

  #lineAt({ inode, offset }: LineExtent): Line | undefined {
    const segment = openByInode(this.#path, inode)
    if (segment === undefined) return undefined
    try {
      for (const line of linesIn(segment, offset)) return line
    } finally {
      closeSync(segment.fd)
    }
    return undefined
  }
}

function keyOf({ inode, offset }: { inode: number; offset: number }): string {
  return `${inode}:${offset}`
}
