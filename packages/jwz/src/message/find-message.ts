import { Failure, isFailure } from '@switchyard/ground/failure'
import { isUlid } from '@switchyard/ground/ulid'
import { type Entry, findById, findByPart, listTopics, readMessagesBackwards, type Store } from '@switchyard/topic'
import { take } from '../store/take.ts'

/** Characters of an id's beginning or end that name it. */
const partLengthMin = 4
/** Ids that an ambiguous part is answered with. */
const candidatesMax = 5

/** `voidToo`: also one that was conditional and does not count. */
type Options = { voidToo?: boolean }

/** The id that `part` is, if it is a whole one, or too short for a part. */
function wholeId(part: string): string | undefined {
  const id = isUlid(part.toUpperCase()) ? part.toUpperCase() : part
  return isUlid(id) || part.length < partLengthMin ? id : undefined
}

/** The message with this id. What cannot be read of the topics is a failure only where none of the others has it. */
function findWhole(store: Store, id: string, { names, unread }: Looked, options: Options): Entry[] {
  const refusals = [...unread]
  for (const topic of names) {
    try {
      const entry = findById(store, topic, id, options)
      if (entry) return [entry]
    } catch (error) {
      if (!isFailure(error)) throw error
      refusals.push(error)
    }
  }
  for (const refusal of refusals) throw refusal
  return []
}

/** Where a message is looked for, and what of that cannot be read. */
type Looked = { names: readonly string[]; unread: readonly Failure[] }

function lookedIn(store: Store, topic: string | undefined): Looked {
  if (topic !== undefined) return { names: [topic], unread: [] }
  const unread: Failure[] = []
  const names = listTopics(store, ({ path, reason, isUnread }) => {
    if (isUnread)
      unread.push(new Failure('failed', `${path}: ${reason}`, { hint: 'give the whole id, or see jwz doctor' }))
  })
  return { names, unread }
}

/** The messages whose id begins or ends with `part`, in these topics: enough to tell that there are too many. */
function findMatches(store: Store, part: string, topics: readonly string[], options: Options): Entry[] {
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
  const looked = lookedIn(store, topic)
  const { names: topics } = looked
  const id = part === '@last' ? undefined : wholeId(part)
  // Which is the last, or the only one that begins so, is not known while something is not seen.
  if (id === undefined) for (const refusal of looked.unread) throw refusal
  // What jwz itself says on its feeds is not what a person said last.
  if (part === '@last') return findLast(store, topic === undefined ? topics.filter((name) => !isFeed(name)) : topics)
  const matches = id === undefined ? findMatches(store, part, topics, options) : findWhole(store, id, looked, options)
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
