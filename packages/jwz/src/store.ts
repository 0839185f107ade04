import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/cli-kit/failure'
import {
  type Entry,
  listTopics,
  locateStore,
  type Message,
  readMessages,
  readMessagesBackwards,
  type Store,
  topicExists,
  withBody,
} from '@switchyard/topic'

type Opening = Pick<Context, 'cwd' | 'env'> & { flags: { store: string | undefined } }

/** The bus that a call means; it need not exist yet. */
export function openStore({ cwd, env, flags }: Opening): Store {
  return locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
}

/** Gives messages their whole bodies; says of one that is not in the store that only its beginning is shown. */
export function bodiesOf(store: Store, note: (text: string) => void): (message: Message) => Message {
  const say = ({ id }: Message) => note(`the body of ${id} is not in ${store.path}: only its beginning is shown`)
  return (message) => withBody(store, message, say)
}

/** Counts lines that are no messages, and says so once. */
export function countSkipped(note: (text: string) => void): { onSkipped: () => void; say: () => void } {
  let skipped = 0
  const onSkipped = () => {
    skipped += 1
  }
  const say = () => {
    if (skipped > 0) note(`skipped ${skipped} damaged or unknown line${skipped === 1 ? '' : 's'}; see jwz check`)
  }
  return { onSkipped, say }
}

/** Characters of an id's beginning or end that name it. */
const partLengthMin = 4
/** Ids that an ambiguous part is answered with. */
const candidatesMax = 5

function isNamedBy(id: string, part: string): boolean {
  if (id === part) return true
  const [whole, piece] = [id.toUpperCase(), part.toUpperCase()]
  return part.length >= partLengthMin && (whole.startsWith(piece) || whole.endsWith(piece))
}

/**
 * The messages whose id begins or ends with `part`, in these topics: enough to tell that there are too many. A whole id
 * names only itself.
 */
function findMatches(store: Store, part: string, topics: readonly string[]): Entry[] {
  const found: Entry[] = []
  for (const topic of topics) {
    for (const entry of readMessagesBackwards(store, topic)) {
      if (entry.message.id === part) return [entry]
      if (found.length <= candidatesMax && isNamedBy(entry.message.id, part)) found.push(entry)
    }
  }
  return found
}

/**
 * The one message that `part`, its id or a unique beginning or end of it, names; in `topic`, or in any. Fails as not
 * found or ambiguous.
 */
export function findMessage(store: Store, part: string, topic?: string): Entry {
  const matches = findMatches(store, part, topic === undefined ? listTopics(store) : [topic])
  const [first, second] = matches
  if (second) {
    const count = matches.length > candidatesMax ? `more than ${candidatesMax}` : matches.length
    const ids = matches.slice(0, candidatesMax).map(({ message }) => message.id)
    throw new Failure('ambiguous', `${part} names ${count} messages: ${ids.join(' ')}`, { hint: 'give more of the id' })
  }
  if (first) return first
  if (part.length < partLengthMin) {
    throw new Failure(
      'usage',
      `expected a message id, or at least ${partLengthMin} characters of its beginning or end, got ${JSON.stringify(part)}`,
    )
  }
  throw new Failure('notFound', `no message ${part}${topic === undefined ? '' : ` in ${topic}`}`, {
    hint: 'jwz search or jwz read shows ids',
  })
}

/** Fails as not found when nobody has posted to the topic. */
export function requireTopic(store: Store, topic: string): void {
  if (topicExists(store, topic)) return
  throw new Failure('notFound', `no topic ${topic} in ${store.path}`, {
    hint: 'jwz topic list shows them; a first post makes one',
  })
}

/** All messages of a topic, oldest first. */
export function readWhole(store: Store, topic: string, onSkipped: () => void): Entry[] {
  return [...readMessages(store, topic, { onSkipped })]
}

/** What `topic list` shows of a topic. */
export type TopicSummary = { topic: string; messages: number; last_at: number | null; last_from: string | null }

/** Counts a topic's messages and finds its newest. */
export function summariseTopic(store: Store, topic: string): TopicSummary {
  let messages = 0
  let newest: Entry | undefined
  for (const entry of readMessages(store, topic)) {
    messages += 1
    newest = entry
  }
  return { topic, messages, last_at: newest?.message.at ?? null, last_from: newest?.message.from ?? null }
}
