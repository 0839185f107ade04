import { isFailure } from '@switchyard/ground/failure'
import {
  type From,
  Judge,
  type Line,
  parseRecord,
  readLines,
  readLinesBackwards,
  repeatBytesMax,
} from '@switchyard/jsonl'
import { type BlobRef, readBlobText } from './blob.ts'
import { IdSet } from './id-set.ts'
import { isAck, isMessage } from './message.check.ts'
import type { Ack, Message } from './message-schema.ts'
import type { Glimpse } from './plain-line.ts'
import type { Store } from './store.ts'
import { topicPath } from './store.ts'

/**
 * A message with the line it was read from, whose place cursors and `--after` need. `isVoid`: it was conditional and
 * does not count; only who asks for `voidToo` sees it.
 */
export type Entry = { message: Message; line: Line; isVoid?: true }

/** Called for each line that is neither a message nor an acknowledgement: damaged, or a record of another kind. */
export type OnSkipped = (line: Line) => void

/** `voidToo`: conditional messages that do not count, too. `onAck` is told of the acknowledgements on the way. */
export type ReadOptions = { onSkipped?: OnSkipped; onAck?: (ack: Ack) => void; voidToo?: boolean }

function toMessage(line: Line): Message | undefined {
  const record = parseRecord(line)
  return record && isMessage(record) ? record : undefined
}

/** Tells of a line that is no message. */
function passOther(line: Line, { onSkipped, onAck }: ReadOptions): void {
  const record = parseRecord(line)
  if (record && isAck(record)) onAck?.(record)
  else onSkipped?.(line)
}

/** Judges the conditional messages of a topic. */
export function judgeOf(path: string): Judge {
  return new Judge(path, isMessage)
}

/**
 * The messages of a topic that count, oldest first; of lines with the same id the first. `from` is a place to start at
 * (the end of an entry's line), or one for each file of the log.
 */
export function* readMessages(
  store: Store,
  topic: string,
  { from, voidToo = false, ...others }: ReadOptions & { from?: From } = {},
): Generator<Entry> {
  const path = topicPath(store, topic)
  const judge = judgeOf(path)
  const seen = new IdSet()
  for (const line of readLines(path, from)) {
    const message = toMessage(line)
    const verdict = message && 'expect' in message ? judge.verdict(line) : 'counts'
    if (!message) passOther(line, others)
    else if (verdict !== 'counts') {
      if (voidToo && verdict !== 'repeats') yield { message, line, isVoid: true }
    } else if (seen.add(message.id)) yield { message, line }
  }
}

/** What is known of a line that is not wanted, without parsing it; undefined when only parsing can tell. */
export type Glance = (line: string) => Glimpse | undefined

/** A line on its way from the end of a log; `message` is missing where it holds none, or only a glimpse was taken. */
type Held = Partial<Entry> & { line: Line; glimpse?: Glimpse }

/** Lines that may still be repetitions of older ones, newest first; of lines with one id only the oldest. */
class Window {
  readonly #held: Held[] = []
  readonly #seen = new IdSet()
  #bytes = 0

  add(held: Held): void {
    const id = idOf(held)
    if (id !== undefined && !this.#seen.add(id) && !this.#withdraw(id)) return
    this.#held.push(held)
    this.#bytes += bytesOf(held)
  }

  /** Takes out the newest if more than `bytesMax` are held. */
  takeOut(bytesMax: number): Held | undefined {
    if (this.#bytes <= bytesMax) return undefined
    const newest = this.#held.shift()
    if (newest) this.#bytes -= bytesOf(newest)
    return newest
  }

  /** Removes the line that turns out to be a repetition; false when it has been taken out. */
  #withdraw(id: string): boolean {
    const at = this.#held.findIndex((held) => idOf(held) === id)
    const [repetition] = at === -1 ? [] : this.#held.splice(at, 1)
    if (repetition) this.#bytes -= bytesOf(repetition)
    return repetition !== undefined
  }
}

/** What lines are told apart by; a void message takes no part. */
function idOf({ message, glimpse, isVoid }: Held): string | undefined {
  return isVoid ? undefined : (message ?? glimpse)?.id
}

function bytesOf({ line }: Held): number {
  return line.end - line.offset
}

/**
 * The messages of a topic that count, newest first; reads only as much of the log as is consumed, and 8 KB more: of
 * lines with the same id the first counts, and a writer that repeats one does so soon after. A conditional one is
 * judged by going back to where that can be done.
 */
export function* readMessagesBackwards(store: Store, topic: string, options: ReadOptions = {}): Generator<Entry> {
  for (const entry of glanceBackwards(store, topic, options)) if ('message' in entry) yield entry
}

/**
 * Reads without parsing what is not wanted: what `glance` answers to a line stands in its place among the others. It
 * may answer only for a message without condition.
 */
export function* glanceBackwards(
  store: Store,
  topic: string,
  { voidToo = false, glance, ...others }: ReadOptions & { glance?: Glance | undefined },
): Generator<Entry | Glimpse> {
  const path = topicPath(store, topic)
  const judge = judgeOf(path)
  const window = new Window()
  for (const line of readLinesBackwards(path)) {
    const held = hold(line, judge, glance)
    if (held && (voidToo || !held.isVoid)) window.add(held)
    for (let out = window.takeOut(repeatBytesMax); out; out = window.takeOut(repeatBytesMax)) {
      const entry = entryOf(out, others)
      if (entry) yield entry
    }
  }
  for (let out = window.takeOut(0); out; out = window.takeOut(0)) {
    const entry = entryOf(out, others)
    if (entry) yield entry
  }
}

/** What a line holds; undefined for a conditional message that another one repeats. */
function hold(line: Line, judge: Judge, glance: Glance | undefined): Held | undefined {
  const glimpse = glance?.(line.text)
  if (glimpse) return { line, glimpse }
  const message = toMessage(line)
  if (!message) return { line }
  const verdict = 'expect' in message ? judge.verdict(line) : 'counts'
  if (verdict === 'counts') return { line, message }
  return verdict === 'repeats' ? undefined : { line, message, isVoid: true }
}

/** What is handed on of a line; it is told of when it is no message. */
function entryOf({ line, message, glimpse, isVoid }: Held, others: ReadOptions): Entry | Glimpse | undefined {
  if (glimpse) return glimpse
  if (message) return isVoid ? { message, line, isVoid } : { message, line }
  passOther(line, others)
  return undefined
}

/**
 * The message with its whole body, read back from the blob it was moved to. Where the store does not have the blob, or
 * the disk does not give it (`why`), `onMissing` is told and the message stays as it is, with the beginning of its body.
 */
export function withBody(
  store: Store,
  message: Message,
  onMissing: (message: Message, why?: string) => void = () => undefined,
): Message {
  if (!message.blob) return message
  const { body, why } = readBody(store, message.blob)
  if (body !== undefined) return { ...message, body }
  onMissing(message, why)
  return message
}

function readBody(store: Store, blob: BlobRef): { body?: string | undefined; why?: string } {
  try {
    return { body: readBlobText(store, blob) }
  } catch (error) {
    if (isFailure(error)) return { why: error.message }
    throw error
  }
}
