import { type Message, type Store, withBody } from '@switchyard/topic'
import type { Filter } from './filter.ts'
import { matches, type Query } from './query.ts'
import { newestFirst } from './select.ts'
import { take } from './take.ts'

type Search = {
  store: Store
  topics: readonly string[]
  query: Query
  filter: Filter
  limit: number
  onSkipped: () => void
}

/** What is searched of a message: its body, sender, topic and tags. */
function searchable({ body, from, topic, tags }: Message): string {
  return [topic, from, ...(tags ?? []), body].join('\n')
}

function* searchTopic({ store, query, filter, onSkipped }: Search, topic: string): Generator<Message> {
  for (const message of newestFirst({ store, topic, filter, onSkipped })) {
    if (matches(query, searchable(withBody(store, message)))) yield message
  }
}

/** The newest messages of all topics that match, newest first. */
export function searchTopics(search: Search): Message[] {
  const found = search.topics.flatMap((topic) => take(searchTopic(search, topic), search.limit))
  return found.sort((left, right) => right.at - left.at).slice(0, search.limit)
}
