import { defineVerb } from '@switchyard/cli-kit'
import { fromFlag, limitFlag, storeFlag } from '../flags.ts'
import { parseMoment } from '../moment.ts'
import { lookOf, renderMessage } from '../render.ts'
import { selectAfter, selectNewest } from '../select.ts'
import { bodiesOf, countSkipped, openStore, requireTopic } from '../store.ts'

/** `jwz read`: the newest messages of a topic, or those that follow one, oldest first. */
export const read = defineVerb({
  summary: 'Print messages of a topic, oldest first',
  args: [{ name: 'topic', summary: 'The topic' }],
  flags: {
    ...limitFlag,
    after: { type: 'string', value: 'ID', summary: 'Start behind this message: the N that follow it' },
    since: { type: 'string', value: 'WHEN', summary: 'Not older than: 10m, 2h, 1d or a date' },
    ...fromFlag,
    ...storeFlag,
  },
  examples: [
    'jwz read issue:auth-123',
    'jwz read news --since 2h --from alice',
    'jwz read news --after 01KAH5T5A9Q3 --jsonl',
  ],
  run(call) {
    const { topic } = call.args
    const { limit, after, since, from } = call.flags
    const store = openStore(call)
    requireTopic(store, topic)
    const skipped = countSkipped(call.output.note)
    const now = call.now()
    const filter = { from, since: since === undefined ? undefined : parseMoment(since, now) }
    const query = { store, topic, limit, filter, onSkipped: skipped.onSkipped }
    const messages = after === undefined ? selectNewest(query) : selectAfter({ ...query, after })
    const look = lookOf(call.output, now)
    call.output.list(messages.map(bodiesOf(store, call.output.note)), {
      text: (message) => renderMessage(message, look),
      id: ({ id }) => id,
      empty: `no messages in ${topic}`,
    })
    skipped.say()
    return undefined
  },
})
