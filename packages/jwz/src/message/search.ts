import { matches } from '@switchyard/cli-kit/text-match'
import { foldText, type TextQuery } from '@switchyard/cli-kit/text-query'
import { type Glance, type Message, type Store, withBody } from '@switchyard/topic'
import type { Sparing } from '../store/many-topics.ts'
import { take } from '../store/take.ts'
import type { Filter } from './filter.ts'
import { newestFirst } from './select.ts'

type Search = {
  store: Store
  topics: readonly string[]
  sparing: Sparing
  query: TextQuery
  filter: Filter
  limit: number
  /** Spares messages that cannot fit from being parsed; changes nothing else. */
  glance: Glance | undefined
  onSkipped: () => void
}

/** What is searched of a message, folded; no query has the NUL between its parts, because no argument can. */
function searchable({ body, from, role, topic, tags = [], attachments = [] }: Message): string {
  const names = attachments.map(({ name }) => name)
  return foldText([topic, from, role ?? '', ...tags, ...names, body].join('\0'))
}

function* searchTopic(search: Search, topic: string, since: number | undefined): Generator<Message> {
  const { store, query, filter, glance, onSkipped } = search
  for (const message of newestFirst({ store, topic, filter: { ...filter, since }, glance, onSkipped })) {
    if (matches(query, searchable(withBody(store, message)))) yield message
  }
}

/**
 * The newest messages of all topics that match, newest first. Holds no more than twice `limit` of them, and looks in a
 * topic no further back than where the newest of the others begin.
 */
export function searchTopics(search: Search): Message[] {
  const { topics, sparing, filter, limit } = search
  let found: Message[] = []
  for (const topic of topics) {
    const oldest = found.length < limit ? undefined : found.at(-1)?.at
    const since = Math.max(filter.since ?? Number.NEGATIVE_INFINITY, oldest ?? Number.NEGATIVE_INFINITY)
    const from = since === Number.NEGATIVE_INFINITY ? undefined : since
    const more = take(
      sparing(topic, () => searchTopic(search, topic, from)),
      limit,
    )
    found = [...found, ...more].sort((left, right) => right.at - left.at).slice(0, limit)
  }
  return found
}
