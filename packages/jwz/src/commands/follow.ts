import { defineVerb } from '@switchyard/cli-kit'
import {
  type Entry,
  followTopics,
  listTopics,
  readMessagesBackwards,
  type Store,
  topicPattern,
  withBody,
} from '@switchyard/topic'
import { fromFlag, storeFlag } from '../flags.ts'
import { lookOf, renderStreamed } from '../render.ts'
import { openStore } from '../store.ts'

/** The newest `limit` messages of the topics, oldest first by their senders' clocks. */
function newestOf(store: Store, topics: readonly string[], limit: number): Entry[] {
  const entries: Entry[] = []
  for (const topic of topics) {
    let taken = 0
    for (const entry of readMessagesBackwards(store, topic)) {
      if (taken === limit) break
      entries.push(entry)
      taken += 1
    }
  }
  return limit === 0 ? [] : entries.sort((left, right) => left.message.at - right.message.at).slice(-limit)
}

/** `jwz follow`: prints messages as they are written, until it is interrupted, its reader goes, or `--count` have come. */
export const follow = defineVerb({
  summary: 'Print messages as they come',
  args: [{ name: 'topic', summary: "Topics or patterns, such as 'issue:*'; all when there is none", rest: true }],
  flags: {
    limit: {
      type: 'integer',
      value: 'N',
      min: 0,
      max: 1_000_000,
      default: 0,
      summary: 'First print the newest N that are there',
    },
    count: { type: 'integer', value: 'N', min: 1, max: 1_000_000_000, summary: 'End after N messages' },
    ...fromFlag,
    ...storeFlag,
  },
  examples: ['jwz follow', "jwz follow 'issue:*' 'loop:*' --jsonl", 'jwz follow news --limit 10'],
  async run(call) {
    const { limit, count, from } = call.flags
    const store = openStore(call)
    const patterns = call.args.topic.map(topicPattern)
    const isMeant = (topic: string) => patterns.length === 0 || patterns.some((matches) => matches(topic))
    const topics = listTopics(store).filter(isMeant)
    const ends = new Map<string, { inode: number; offset: number }>()
    for (const topic of topics) {
      const newest = readMessagesBackwards(store, topic).next().value
      if (newest) ends.set(topic, { inode: newest.line.inode, offset: newest.line.end })
    }

    let printed = 0
    const print = ({ message }: Entry): boolean => {
      if (from !== undefined && message.from !== from) return false
      const look = lookOf(call.output, call.now())
      call.output.each(withBody(store, message), { text: (whole) => renderStreamed(whole, look), id: ({ id }) => id })
      printed += 1
      return printed === count
    }
    for (const entry of newestOf(store, topics, limit)) if (print(entry)) return undefined
    const signal = call.interrupted()
    for await (const entry of followTopics(store, { isMeant, from: (topic) => ends.get(topic), signal })) {
      if (print(entry)) return undefined
    }
    return undefined
  },
})
