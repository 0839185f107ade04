import { Failure } from '@switchyard/cli-kit/failure'
import {
  type Entry,
  findById,
  findByPart,
  isUlid,
  listTopics,
  readMessagesBackwards,
  type Store,
} from '@switchyard/topic'
import { take } from './take.ts'

/** Characters of an id's beginning or end that name it. */
const partLengthMin = 4
/** Ids that an ambiguous part is answered with. */
const candidatesMax = 5

/** `voidToo`: also one that was conditional and does not count. */
type Options = { voidToo?: boolean }

/**
 * The messages whose id begins or ends with `part`, in these topics: enough to tell that there are too many. A whole id
 * names only itself.
 */
function findMatches(store: Store, part: string, topics: readonly string[], options: Options): Entry[] {
  const id = isUlid(part.toUpperCase()) ? part.toUpperCase() : part
  if (isUlid(id) || part.length < partLengthMin) {
    for (const topic of topics) {
      const entry = findById(store, topic, id, options)
      if (entry) return [entry]
    }
    return []
  }
  const found: Entry[] = []
  for (const topic of topics) {
    const named = findByPart(store, topic, part, { ...options, enough: candidatesMax + 1 })
    const exact = named.find(({ message }) => message.id === part)
    if (exact) return [exact]
    found.push(...named)
  }
  return found
}

function isFeed(topic: string): boolean {
  return topic.startsWith('jwz:')
}

/** The newest message of these topics; between topics the senders' clocks decide. */
function findLast(store: Store, topics: readonly string[]): Entry {
  let newest: Entry | undefined
  for (const topic of topics) {
    const [last] = take(readMessagesBackwards(store, topic), 1)
    if (last && (!newest || last.message.at > newest.message.at)) newest = last
  }
  if (newest) return newest
  const [only] = topics
  throw new Failure('notFound', `no message${topics.length === 1 ? ` in ${only}` : ''} that @last could name`, {
    hint: 'jwz post makes one',
  })
}

/**
 * The one message that `part` names: `@last` the newest, else by its id or a unique beginning or end of it; in `topic`,
 * or in any. Fails as not found or ambiguous.
 */
export function findMessage(store: Store, part: string, topic?: string, options: Options = {}): Entry {
  const topics = topic === undefined ? listTopics(store) : [topic]
  // What jwz itself says on its feeds is not what a person said last.
  if (part === '@last') return findLast(store, topic === undefined ? topics.filter((name) => !isFeed(name)) : topics)
  const matches = findMatches(store, part, topics, options)
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
