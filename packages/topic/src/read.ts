import {
  type From,
  Judge,
  type Line,
  parseRecord,
  readLines,
  readLinesBackwards,
  repeatBytesMax,
} from '@switchyard/jsonl'
import { isAck } from './ack.ts'
import { readBlobText } from './blob.ts'
import { IdSet } from './id-set.ts'
import { isMessage } from './message.ts'
import type { Ack, Message } from './message-schema.ts'
import { topicPath } from './post.ts'
import type { Store } from './store.ts'

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

/** A line on its way from the end of a log; `message` is missing where it holds none. */
type Held = Partial<Entry> & { line: Line }

/** Lines that may still be repetitions of older ones: all with one id together, at the place of the oldest. */
class Window {
  readonly #held = new Map<string | Line, Held>()
  #bytes = 0

  add(key: string | Line, held: Held): void {
    // Deleted first, so that the older line takes its own place and not that of its repetition.
    const repetition = this.#held.get(key)
    if (repetition) this.#bytes -= bytesOf(repetition)
    this.#held.delete(key)
    this.#held.set(key, held)
    this.#bytes += bytesOf(held)
  }

  /** Takes out the newest until no more than `bytesMax` are held. */
  *passOut(bytesMax: number): Generator<Held> {
    for (const [key, held] of this.#held) {
      if (this.#bytes <= bytesMax) return
      this.#held.delete(key)
      this.#bytes -= bytesOf(held)
      yield held
    }
  }
}

function bytesOf({ line }: Held): number {
  return line.end - line.offset
}

/**
 * The messages of a topic that count, newest first; reads only as much of the log as is consumed, and 8 KB more: of
 * lines with the same id the first counts, and a writer that repeats one does so soon after. A conditional one is
 * judged by going back to where that can be done.
 */
export function* readMessagesBackwards(
  store: Store,
  topic: string,
  { voidToo = false, ...others }: ReadOptions = {},
): Generator<Entry> {
  const path = topicPath(store, topic)
  const judge = judgeOf(path)
  const passed = new IdSet()
  const window = new Window()
  const entriesIn = function* (lines: Iterable<Held>): Generator<Entry> {
    for (const { message, line, isVoid } of lines) {
      if (!message) passOther(line, others)
      else if (isVoid) yield { message, line, isVoid }
      else if (passed.add(message.id)) yield { message, line }
    }
  }
  for (const line of readLinesBackwards(path)) {
    const message = toMessage(line)
    const verdict = message && 'expect' in message ? judge.verdict(line) : 'counts'
    if (!message) window.add(line, { line })
    else if (verdict === 'counts') window.add(message.id, { message, line })
    else if (voidToo && verdict !== 'repeats') window.add(line, { message, line, isVoid: true })
    yield* entriesIn(window.passOut(repeatBytesMax))
  }
  yield* entriesIn(window.passOut(0))
}

/**
 * The message with its whole body, read back from the blob it was moved to. Where the store does not have the blob,
 * `onMissing` is told and the message stays as it is, with the beginning of its body.
 */
export function withBody(
  store: Store,
  message: Message,
  onMissing: (message: Message) => void = () => undefined,
): Message {
  if (!message.blob) return message
  const body = readBlobText(store, message.blob)
  if (body !== undefined) return { ...message, body }
  onMissing(message)
  return message
}
