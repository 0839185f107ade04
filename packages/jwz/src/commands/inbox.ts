import { type Call, defineVerb } from '@switchyard/cli-kit'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { orRefused, orRefusedLater } from '@switchyard/ground/disk'
import { exitCodes } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'
import { identify, type Message, withBody } from '@switchyard/topic'
import { makeCursorFolder } from '../consumer/cursor-file.ts'
import { allIn, placeAfter, type Reader, unreadIn } from '../consumer/inbox.ts'
import { inboxPath, readInboxFile } from '../consumer/inbox-file.ts'
import type { InboxFile, InboxPlace } from '../consumer/schemas.ts'
import { isFor } from '../message/addressed.ts'
import { renderInbox } from '../render/addressed.ts'
import { limitFlag, storeFlag } from '../store/flags.ts'
import { type ManyTopics, manyTopics } from '../store/many-topics.ts'
import { bodiesOf, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

const spec = {
  summary: 'Print what is addressed to you or mentions you and is unread, urgent first',
  flags: {
    as: { type: 'string', value: 'NAME', summary: 'Whose inbox' },
    urgent: { type: 'boolean', summary: 'Only what is urgent' },
    since: { type: 'string', value: 'WHEN', summary: 'Not older than: 10m, 2h, 1d or a date' },
    all: { type: 'boolean', summary: 'What is read, too: the newest N' },
    commit: { type: 'boolean', summary: 'What is printed is read, and does not come again' },
    ...limitFlag,
    ...storeFlag,
  },
  examples: ['jwz inbox', 'jwz inbox --commit', 'jwz inbox --urgent --since 1h --json'],
} as const

type Inboxed = Message & { read: boolean }
type Places = ReadonlyMap<string, InboxPlace>

/**
 * `jwz inbox`: messages of all topics for whoever asks. They stay unread until `--commit` or an `ack`. Exits 3 when
 * there is none.
 */
export const inbox = defineVerb({
  ...spec,
  async run(call) {
    const store = openStore(call)
    const agent = identify({ as: call.flags.as, env: call.env, store })
    const isMine = isFor(agent, { now: call.now(), bodyOf: (message) => withBody(store, message).body })
    const reader: Reader = { store, agent, isMine }
    const path = inboxPath(store, agent)
    const many = manyTopics(store, call.output.note)
    if (!call.flags.commit || many.names.length === 0) {
      return many.ended(exitCodeOf(print(call, reader, many, readInboxFile(path))))
    }
    makeCursorFolder(path)
    const commit = () => {
      const places = readInboxFile(path)
      const printed = print(call, reader, many, places)
      if (printed.shown.size > 0) {
        const isUnread = (id: string) => !printed.shown.has(id) && !printed.done.has(id)
        // What could not be read may come back, and is not to be unread again then.
        const kept = new Map(many.ended() === undefined ? [] : places)
        for (const topic of many.names) {
          const after = () => [placeAfter(reader, topic, places.get(topic), isUnread)]
          for (const place of many.sparing(topic, after)) kept.set(topic, place)
        }
        writeInbox(path, { v: 1, agent, at: call.now(), topics: Object.fromEntries(kept) })
      }
      return many.ended(exitCodeOf(printed))
    }
    return orRefusedLater(`${path} was to be kept`, () => transact(path, commit))
  },
})

/** Ids of what was printed, and of what had been read before. */
type Printed = { shown: ReadonlySet<string>; done: ReadonlySet<string> }

function print(
  { flags, output, now }: Call<typeof spec>,
  reader: Reader,
  { names, sparing }: ManyTopics,
  places: Places,
): Printed {
  const found = names.flatMap((topic) => [...sparing(topic, () => [unreadIn(reader, topic, places.get(topic))])])
  const unread = found.flatMap((inTopic) => inTopic.unread)
  const unreadIds = new Set(unread.map(({ id }) => id))
  const since = flags.since === undefined ? Number.NEGATIVE_INFINITY : parseMoment(flags.since, now(), '--since')
  const wanted = (flags.all ? names.flatMap((topic) => [...sparing(topic, () => allIn(reader, topic))]) : unread)
    .filter(({ at, urgent }) => at >= since && (urgent === true || !flags.urgent))
    .sort((left, right) => left.at - right.at)
  const chosen = flags.all ? urgentFirst(wanted.slice(-flags.limit)) : urgentFirst(wanted).slice(0, flags.limit)
  if (chosen.length < wanted.length) output.note(`${chosen.length} of ${wanted.length} shown; --limit shows more`)
  const look = lookOf(output, now())
  const whole = bodiesOf(reader.store, output.note)
  output.list(
    chosen.map((message): Inboxed => ({ ...whole(message), read: !unreadIds.has(message.id) })),
    { text: (message) => renderInbox(message, look), id: ({ id }) => id, empty: `nothing for ${reader.agent}` },
  )
  return { shown: new Set(chosen.map(({ id }) => id)), done: new Set(found.flatMap(({ done }) => [...done])) }
}

function urgentFirst(messages: readonly Message[]): Message[] {
  return [...messages.filter(({ urgent }) => urgent === true), ...messages.filter(({ urgent }) => urgent !== true)]
}

function exitCodeOf({ shown }: Printed) {
  return shown.size === 0 ? exitCodes.notFound : undefined
}

function writeInbox(path: string, file: InboxFile): void {
  orRefused(`${path} was to be written`, () => writeWhole(path, `${path}.draft`, `${JSON.stringify(file)}\n`))
}
