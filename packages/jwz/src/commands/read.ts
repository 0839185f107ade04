import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import type { Message } from '@switchyard/topic'
import { filterOf } from '../message/filter.ts'
import { selectAfter, selectNewest } from '../message/select.ts'
import { allFlag, filterFlags, limitFlag, periodFlags, storeFlag } from '../store/flags.ts'
import { bodiesOf, countSkipped, openStore, requireTopic } from '../store/store.ts'
import { lookOf, renderMessage } from '../text/message-line.ts'

/** `jwz read`: messages of a topic, oldest first: the newest, those that follow one, or those a consumer has not read. */
export const read = defineVerb({
  summary: 'Print messages of a topic, oldest first',
  args: [{ name: 'topic', summary: 'The topic', optional: true, complete: 'topic' }],
  flags: {
    ...limitFlag,
    after: {
      type: 'string',
      value: 'ID',
      complete: 'message',
      summary: 'Start behind this message: the N that follow it',
    },
    threads: { type: 'boolean', summary: 'Print N whole threads instead: what fits, what it answers, its answers' },
    ...periodFlags,
    ...filterFlags,
    consumer: { type: 'string', value: 'NAME', summary: 'What NAME has not committed yet, oldest first' },
    commit: { type: 'boolean', summary: 'With --consumer: what is printed is read, and does not come again' },
    status: { type: 'boolean', summary: 'Print how far consumers have read instead, all or NAME' },
    reset: { type: 'string', value: 'PLACE', summary: 'Move NAME to start, end or behind a message; none forgets it' },
    ...allFlag,
    ...storeFlag,
  },
  examples: [
    'jwz read issue:auth-123',
    'jwz read news --since 2h --from alice',
    'jwz read issue:auth-123 --threads',
    'jwz read news --after 01KAH5T5A9Q3 --jsonl',
    'jwz read news --consumer deploy --commit',
    'jwz read --status',
    'jwz read issue:auth-123 --tag review --match "race condition"',
  ],
  async run(call) {
    const { topic } = call.args
    const { limit, after, threads, consumer, commit, status, reset } = call.flags
    if (topic === undefined || status || reset !== undefined) {
      const { printPlaces } = await import('../render/print-places.ts')
      await printPlaces(call)
      return undefined
    }
    const store = openStore(call)
    requireTopic(store, topic)
    const skipped = countSkipped(call.output.note)
    const now = call.now()
    const filter = await filterOf(store, call.flags, { now, env: call.env })
    const query = { store, topic, limit, filter, onSkipped: skipped.onSkipped }
    const look = lookOf(call.output, now)
    const whole = bodiesOf(store, call.output.note)
    const empty = consumer === undefined ? `no messages in ${topic}` : `nothing new in ${topic} for ${consumer}`
    const print = (messages: readonly Message[]) => {
      const text = (message: Message) => renderMessage(message, look)
      call.output.list(messages.map(whole), { text, id: ({ id }) => id, empty })
    }
    if (consumer !== undefined || commit) {
      const { readAsConsumer } = await import('../consumer/read-as-consumer.ts')
      const reading = { ...query, consumer, after, threads, note: call.output.note, print }
      const count = await readAsConsumer(reading, commit, call.now)
      skipped.say()
      return count === 0 ? exitCodes.notFound : undefined
    }
    if (threads) {
      const { selectThreads } = await import('../message/read-threads.ts')
      const { printThreads } = await import('../render/print-threads.ts')
      printThreads(call.output, selectThreads({ ...query, after }), { whole, look, empty })
    } else print(after === undefined ? selectNewest(query) : selectAfter({ ...query, after }))
    skipped.say()
    return undefined
  },
})
