import { type Message, readMessagesBackwards, type Store, withBody } from '@switchyard/topic'
import { matches, type Query } from './query.ts'
import { type Filter, isMeant } from './select.ts'

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

function searchTopic({ store, query, filter, limit, onSkipped }: Search, topic: string): Message[] {
  const found: Message[] = []
  for (const { message } of readMessagesBackwards(store, topic, { onSkipped })) {
    if (!isMeant(message, filter) || !matches(query, searchable(withBody(store, message)))) continue
    found.push(message)
    if (found.length >= limit) break
  }
  return found
}

/** The newest messages of all topics that match, newest first. */
export function searchTopics(search: Search): Message[] {
  const found = search.topics.flatMap((topic) => searchTopic(search, topic))
  return found.sort((left, right) => right.at - left.at).slice(0, search.limit)
}
