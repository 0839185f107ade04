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
const repeatBytesMax = 32 * 1024

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

/**
 * The messages of a topic, newest first; reads only as much of the log as is consumed, and 32 KB more: of lines with
 * the same id the first counts, and a writer that repeats one does so soon after.
 */
export function* readMessagesBackwards(
  store: Store,
  topic: string,
  { onSkipped = ignoreSkipped }: { onSkipped?: OnSkipped } = {},
): Generator<Entry> {
  const passed = new Set<string>()
  const held = new Map<string | Line, { message: Message | undefined; line: Line }>()
  let heldBytes = 0
  const pass = function* (untilBytes: number): Generator<Entry> {
    for (const [key, { message, line }] of held) {
      if (heldBytes <= untilBytes) return
      held.delete(key)
      heldBytes -= line.end - line.offset
      if (!message) onSkipped(line)
      else if (!passed.has(message.id)) {
        passed.add(message.id)
        yield { message, line }
      }
    }
  }
  for (const line of readLinesBackwards(topicPath(store, topic))) {
    const message = toMessage(line)
    const key = message?.id ?? line
    // Deleted first, so that the older line takes its own place and not that of its repetition.
    const repetition = held.get(key)
    if (repetition) heldBytes -= repetition.line.end - repetition.line.offset
    held.delete(key)
    held.set(key, { message, line })
    heldBytes += line.end - line.offset
    yield* pass(repeatBytesMax)
  }
  yield* pass(0)
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
