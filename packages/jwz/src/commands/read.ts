import { defineVerb } from '@switchyard/cli-kit'
import { filterOf } from '../filter.ts'
import { filterFlags, limitFlag, periodFlags, storeFlag } from '../flags.ts'
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
    ...periodFlags,
    ...filterFlags,
    ...storeFlag,
  },
  examples: [
    'jwz read issue:auth-123',
    'jwz read news --since 2h --from alice',
    'jwz read news --after 01KAH5T5A9Q3 --jsonl',
    'jwz read issue:auth-123 --tag review --match "race condition"',
  ],
  run(call) {
    const { topic } = call.args
    const { limit, after } = call.flags
    const store = openStore(call)
    requireTopic(store, topic)
    const skipped = countSkipped(call.output.note)
    const now = call.now()
    const filter = filterOf(store, call.flags, now)
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
