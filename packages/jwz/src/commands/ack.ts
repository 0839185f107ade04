import { type Call, defineVerb } from '@switchyard/cli-kit'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { identify, postAck, type Store, topicPattern } from '@switchyard/topic'
import { ackedBy, type Pending, pendingIn } from '../message/acks.ts'
import { findMessage } from '../message/find-message.ts'
import { renderPending } from '../render/addressed.ts'
import { limitFlag, storeFlag } from '../store/flags.ts'
import { manyTopics } from '../store/many-topics.ts'
import { bodiesOf, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

const spec = {
  summary: 'Acknowledge messages, or list those that wait for it',
  args: [
    {
      name: 'id',
      summary: 'Messages to acknowledge; with --pending, topics to look in',
      optional: true,
      rest: true,
      complete: 'message',
    },
  ],
  flags: {
    pending: { type: 'boolean', summary: 'List messages that somebody they are addressed to has not acknowledged' },
    since: { type: 'string', value: 'WHEN', summary: 'With --pending: not older than 10m, 2h, 1d or a date' },
    ...limitFlag,
    as: { type: 'string', value: 'NAME', summary: 'Acknowledge under this name' },
    ...storeFlag,
  },
  examples: ['jwz ack 01KAH5T5A9Q3', 'jwz inbox -q | xargs jwz ack', "jwz ack --pending 'issue:*'"],
} as const

/** `jwz ack`: says that you have taken in a message; once is enough. `--pending` exits 3 when nobody is waited for. */
export const ack = defineVerb({
  ...spec,
  run(call) {
    const store = openStore(call)
    if (call.flags.pending) return listPending(call, store)
    if (call.args.id.length === 0) {
      throw new Failure('usage', 'ack takes ids of messages, or --pending; got neither', {
        hint: 'jwz inbox shows what is addressed to you',
      })
    }
    const from = identify({ as: call.flags.as, env: call.env, store })
    // All are looked for before any is acknowledged.
    const entries = call.args.id.map((id) => findMessage(store, id))
    for (const entry of entries) {
      const { topic, id: message } = entry.message
      const isNew = !ackedBy(store, entry).includes(from)
      if (isNew) postAck(store, { topic, from, message }, call.now())
      call.output.each({ v: 1, message, topic, from, new: isNew }, { text: () => message, id: () => message })
    }
    return undefined
  },
})

function listPending({ args, flags, output, now }: Call<typeof spec>, store: Store) {
  const wanted = args.id.map(topicPattern)
  const { names, sparing, ended } = manyTopics(store, output.note)
  const topics = names.filter((topic) => wanted.length === 0 || wanted.some((isWanted) => isWanted(topic)))
  const since = flags.since === undefined ? Number.NEGATIVE_INFINITY : parseMoment(flags.since, now(), '--since')
  const pending = (topic: string) => pendingIn(store, topic, { since, now: now() })
  const found = topics.flatMap((topic) => [...sparing(topic, () => pending(topic))])
  const shown = found.sort((left, right) => left.at - right.at).slice(0, flags.limit)
  if (shown.length < found.length) output.note(`${shown.length} of ${found.length} shown; --limit shows more`)
  const look = lookOf(output, now())
  const whole = bodiesOf(store, output.note)
  output.list(
    shown.map((message): Pending => ({ ...message, body: whole(message).body })),
    { text: (message) => renderPending(message, look), id: ({ id }) => id, empty: 'nobody is waited for' },
  )
  return ended(shown.length === 0 ? exitCodes.notFound : undefined)
}
