import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/cli-kit/failure'
import { type Entry, listTopics, locateStore, readMessages, readMessagesBackwards, type Store } from '@switchyard/topic'

type Opening = Pick<Context, 'cwd' | 'env'> & { flags: { store: string | undefined } }

/** The bus that a call means; it need not exist yet. */
export function openStore({ cwd, env, flags }: Opening): Store {
  return locateStore({ cwd, env, name: '.jwz', variable: 'JWZ_STORE', override: flags.store })
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

function isNamedBy(id: string, part: string): boolean {
  return id.startsWith(part) || id.endsWith(part)
}

/** The messages whose id begins or ends with `part`, in these topics; at most `limit`. A whole id is found wherever it stands. */
function findMatches(store: Store, part: string, topics: readonly string[], limit: number): Entry[] {
  const found: Entry[] = []
  for (const topic of topics) {
    for (const entry of readMessagesBackwards(store, topic)) {
      if (!isNamedBy(entry.message.id, part)) continue
      if (entry.message.id === part) return [entry]
      found.push(entry)
      if (found.length >= limit) return found
    }
  }
  return found
}

/**
 * The one message that `part`, its id or a unique beginning or end of it, names; in `topic`, or in any. Fails as not found or
 * ambiguous.
 */
export function findMessage(store: Store, part: string, topic?: string): Entry {
  const wanted = part.toUpperCase()
  if (!/^[0-9A-Z]{4,}$/.test(wanted)) {
    throw new Failure(
      'usage',
      `expected a message id, or at least four characters of its beginning or end, got ${JSON.stringify(part)}`,
    )
  }
  const matches = findMatches(store, wanted, topic === undefined ? listTopics(store) : [topic], 6)
  const [first, second] = matches
  if (!first)
    throw new Failure('notFound', `no message ${part}${topic === undefined ? '' : ` in ${topic}`}`, {
      hint: 'jwz search or jwz read shows ids',
    })
  if (second) {
    const ids = matches.slice(0, 5).map(({ message }) => message.id)
    throw new Failure(
      'ambiguous',
      `${part} names ${matches.length > 5 ? 'more than five' : matches.length} messages: ${ids.join(' ')}`,
      {
        hint: 'give more of the id',
      },
    )
  }
  return first
}

/** Fails as not found when nobody has posted to the topic. */
export function requireTopic(store: Store, topic: string): void {
  if (listTopics(store).includes(topic)) return
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
