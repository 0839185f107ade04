import { type Line, type Place, parseRecord, readLines, readLinesBackwards } from '@switchyard/jsonl'
import { readBlobText } from './blob.ts'
import { isMessage } from './message.ts'
import type { Message } from './message-schema.ts'
import { topicPath } from './post.ts'
import type { Store } from './store.ts'

/** A message with the line it was read from, whose place cursors and `--after` need. */
export type Entry = { message: Message; line: Line }

/** Called for each line that is no message: damaged, or a record of another kind. */
export type OnSkipped = (line: Line) => void

/** Bytes of older log that are looked through for the first line with an id before one that may repeat it counts. */
const repeatBytesMax = 8 * 1024

const ignoreSkipped: OnSkipped = () => undefined

function toMessage(line: Line): Message | undefined {
  const record = parseRecord(line)
  return record && isMessage(record) ? record : undefined
}

/**
 * The messages of a topic, oldest first; of lines with the same id the first. `from` is a place to start at (the end of
 * an entry's line).
 */
export function* readMessages(
  store: Store,
  topic: string,
  { from, onSkipped = ignoreSkipped }: { from?: Place; onSkipped?: OnSkipped } = {},
): Generator<Entry> {
  const seen = new Set<string>()
  for (const line of readLines(topicPath(store, topic), from)) {
    const message = toMessage(line)
    if (!message) onSkipped(line)
    else if (!seen.has(message.id)) {
      seen.add(message.id)
      yield { message, line }
    }
  }
}

/** The id of a line as our own writers begin it; of any other line, by parsing. */
function idOf({ text }: Line): string | undefined {
  const start = '{"v":1,"id":"'
  if (!text.startsWith(start)) return parseRecord({ text })?.['id']?.toString()
  return text.slice(start.length, text.indexOf('"', start.length))
}

/** Lines that may still be repetitions of older ones: all with one id together, at the place of the oldest. */
class Window {
  readonly #held = new Map<string | Line, Line[]>()
  #bytes = 0

  add(line: Line): void {
    const key = idOf(line) ?? line
    const lines = this.#held.get(key) ?? []
    lines.push(line)
    // Deleted first, so that the older line takes its own place and not that of its repetition.
    this.#held.delete(key)
    this.#held.set(key, lines)
    this.#bytes += line.end - line.offset
  }

  /** Takes out the newest until no more than `bytesMax` are held; each group with its oldest line first. */
  *passOut(bytesMax: number): Generator<Line[]> {
    for (const [key, lines] of this.#held) {
      if (this.#bytes <= bytesMax) return
      this.#held.delete(key)
      for (const { offset, end } of lines) this.#bytes -= end - offset
      yield lines.reverse()
    }
  }
}

/**
 * The messages of a topic, newest first; reads only as much of the log as is consumed, and 8 KB more: of lines with
 * the same id the first counts, and a writer that repeats one does so soon after. Parses only what it yields.
 */
export function* readMessagesBackwards(
  store: Store,
  topic: string,
  { onSkipped = ignoreSkipped }: { onSkipped?: OnSkipped } = {},
): Generator<Entry> {
  const passed = new Set<string>()
  const window = new Window()
  const entriesIn = function* (groups: Iterable<Line[]>): Generator<Entry> {
    for (const line of flatten(groups)) {
      const message = toMessage(line)
      if (!message) onSkipped(line)
      else if (!passed.has(message.id)) {
        passed.add(message.id)
        yield { message, line }
      }
    }
  }
  for (const line of readLinesBackwards(topicPath(store, topic))) {
    window.add(line)
    yield* entriesIn(window.passOut(repeatBytesMax))
  }
  yield* entriesIn(window.passOut(0))
}

function* flatten<T>(groups: Iterable<readonly T[]>): Generator<T> {
  for (const group of groups) yield* group
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
