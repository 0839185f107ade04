import { defineVerb } from '@switchyard/cli-kit'
import { interruptedCode } from '@switchyard/cli-kit/interrupted-code'
import type { Start } from '@switchyard/jsonl'
import {
  type Entry,
  endOfTopic,
  followTopics,
  readMessagesBackwards,
  type Store,
  topicPattern,
} from '@switchyard/topic'
import { filterOf } from '../message/filter.ts'
import { filterFlags, storeFlag } from '../store/flags.ts'
import { type ManyTopics, manyTopics } from '../store/many-topics.ts'
import { bodiesOf, openStore } from '../store/store.ts'
import { take } from '../store/take.ts'
import { lookOf, renderStreamed } from '../text/message-line.ts'

type IsMeant = (topic: string) => boolean

/** The newest `limit` messages of the topics, oldest first by their senders' clocks. */
function newestOf(
  store: Store,
  { names, sparing }: Pick<ManyTopics, 'names' | 'sparing'>,
  isWanted: (entry: Entry) => boolean,
  limit: number,
): Entry[] {
  const newest = function* (topic: string) {
    for (const entry of readMessagesBackwards(store, topic)) if (isWanted(entry)) yield entry
  }
  const entries = names.flatMap((topic) =>
    take(
      sparing(topic, () => newest(topic)),
      limit,
    ).reverse(),
  )
  return entries.sort((left, right) => left.message.at - right.message.at).slice(-limit)
}

/** What there is now, `limit` of it, and then what comes; nothing between the two is missed, nothing comes twice. */
async function* entriesFrom(
  store: Store,
  isMeant: IsMeant,
  isWanted: (entry: Entry) => boolean,
  { limit, signal, note }: { limit: number; signal: AbortSignal; note: (text: string) => void },
): AsyncGenerator<Entry> {
  const told = new Set<string>()
  const tell = (text: string) => {
    if (!told.has(text)) note(text)
    told.add(text)
  }
  const { names: all, sparing } = manyTopics(store, tell)
  const names = all.filter(isMeant)
  const ends = new Map<string, Start>(names.map((topic) => [topic, 'end']))
  for (const topic of names)
    for (const end of sparing(topic, () => [endOfTopic(store, topic)])) ends.set(topic, end ?? 'start')
  const printed = new Set<string>()
  for (const entry of limit === 0 ? [] : newestOf(store, { names, sparing }, isWanted, limit)) {
    printed.add(entry.message.id)
    yield entry
  }
  const from = (topic: string) => ends.get(topic) ?? 'start'
  const onUnread = (place: string, reason: string) => tell(`${place}: ${reason}`)
  for await (const entry of followTopics(store, { isMeant, from, signal, onUnread })) {
    if (isWanted(entry) && !printed.has(entry.message.id)) yield entry
  }
}

/**
 * `jwz follow`: prints messages as they are written, until it is interrupted, its reader goes, or `--count` have come.
 */
export const follow = defineVerb({
  summary: 'Print messages as they come',
  args: [
    {
      name: 'topic',
      summary: "Topics or patterns, such as 'issue:*'; all when there is none",
      optional: true,
      rest: true,
      complete: 'topic',
    },
  ],
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
    ...filterFlags,
    ...storeFlag,
  },
  examples: ['jwz follow', "jwz follow 'issue:*' 'loop:*' --jsonl", 'jwz follow news --limit 10'],
  async run(call) {
    const { limit, count } = call.flags
    const store = openStore(call)
    const patterns = call.args.topic.map(topicPattern)
    const isMeant: IsMeant = (topic) => patterns.length === 0 || patterns.some((matches) => matches(topic))
    const filter = await filterOf(store, call.flags, { now: call.now(), env: call.env })
    const isWanted = ({ message }: Entry) => filter.isMeant(message)
    const signal = call.interrupted()
    const look = lookOf(call.output, call.now())
    const whole = bodiesOf(store, call.output.note)
    let printed = 0
    const { note } = call.output
    for await (const { message } of entriesFrom(store, isMeant, isWanted, { limit, signal, note })) {
      call.output.each(whole(message), { text: (shown) => renderStreamed(shown, look), id: ({ id }) => id })
      printed += 1
      if (printed === count) return undefined
    }
    return interruptedCode(signal)
  },
})
