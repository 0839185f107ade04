import { type Message, readMessages } from '@switchyard/topic'
import { take } from '../store/take.ts'
import { behind, type MessageSource, newestFirst } from './select.ts'
import { rootFinder, type Threaded, threadOf } from './thread.ts'

/**
 * The threads of a topic: `rootOf` says which one a message belongs to, `read` gives those named, one after the other.
 * Holds what answers what and the threads that are read, so that a long topic of few answers takes little memory.
 */
function openThreads({ store, topic, filter, onSkipped }: MessageSource) {
  const parentOf = new Map<string, string>()
  for (const { message } of readMessages(store, topic, { onSkipped, voidToo: filter.voidToo }))
    if (message.reply_to !== undefined) parentOf.set(message.id, message.reply_to)
  const rootOf = rootFinder(parentOf)
  const read = (roots: readonly string[]): Threaded[] => {
    const members = new Map(roots.map((root): [string, Message[]] => [root, []]))
    for (const entry of readMessages(store, topic, { voidToo: filter.voidToo }))
      members.get(rootOf(entry.message.id))?.push(filter.mark(entry))
    return [...members].flatMap(([root, messages]) => threadOf(messages, root))
  }
  return { rootOf, read }
}

/** The whole thread of one message. */
export function readThread(source: MessageSource, member: string): Threaded[] {
  const { rootOf, read } = openThreads(source)
  return read([rootOf(member)])
}

/**
 * The whole threads of the newest messages that are meant, or of those behind `after`, up to `limit` threads; the one
 * with the newest of them last.
 */
export function selectThreads({
  after,
  limit,
  ...source
}: MessageSource & { after: string | undefined; limit: number }) {
  const { rootOf, read } = openThreads(source)
  const meant = after === undefined ? newestFirst(source) : behind(source, after)
  const roots = take(
    distinct(meant, ({ id }) => rootOf(id)),
    limit,
  )
  return read(after === undefined ? roots.reverse() : roots)
}

function* distinct(messages: Iterable<Message>, keyOf: (message: Message) => string): Generator<string> {
  const seen = new Set<string>()
  for (const message of messages) {
    const key = keyOf(message)
    if (seen.has(key)) continue
    seen.add(key)
    yield key
  }
}
