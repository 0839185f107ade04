import { type Line, parseRecord, readLines, readLinesBackwards } from '@switchyard/jsonl'
import { readBlobText } from './blob.ts'
import { isMessage } from './message.ts'
import type { Message } from './message-schema.ts'
import { topicPath } from './post.ts'
import type { Store } from './store.ts'

/** A message with the line it was read from, whose place cursors and `--after` need. */
export type Entry = { message: Message; line: Line }

/** Called for each line that is no message: damaged, or a record of another kind. */
export type OnSkipped = (line: Line) => void

function* entriesOf(lines: Iterable<Line>, onSkipped: OnSkipped): Generator<Entry> {
  const seen = new Set<string>()
  for (const line of lines) {
    const record = parseRecord(line)
    if (record?.['type'] === 'sealed') continue
    if (!record || !isMessage(record)) {
      onSkipped(line)
      continue
    }
    if (seen.has(record.id)) continue
    seen.add(record.id)
    yield { message: record, line }
  }
}

const ignoreSkipped: OnSkipped = () => undefined

/** The messages of a topic, oldest first, each id once. `from` is a place to start at (the end of an entry's line). */
export function readMessages(
  store: Store,
  topic: string,
  { from, onSkipped = ignoreSkipped }: { from?: { inode: number; offset: number }; onSkipped?: OnSkipped } = {},
): Generator<Entry> {
  return entriesOf(readLines(topicPath(store, topic), from), onSkipped)
}

/** The messages of a topic, newest first, each id once; reads only as much of the log as is consumed. */
export function readMessagesBackwards(
  store: Store,
  topic: string,
  { onSkipped = ignoreSkipped }: { onSkipped?: OnSkipped } = {},
): Generator<Entry> {
  return entriesOf(readLinesBackwards(topicPath(store, topic)), onSkipped)
}

/** The message with its whole body, read back from the blob it was moved to; as it is when the store does not have the blob. */
export function withBody(store: Store, message: Message): Message {
  if (!message.blob) return message
  const body = readBlobText(store, message.blob)
  return body === undefined ? message : { ...message, body }
}
