import { defineVerb } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import { Failure } from '@switchyard/ground/failure'
import type { Message } from '@switchyard/topic'
import { filterOf } from '../message/filter.ts'
import { selectNewest } from '../message/select.ts'
import { filterFlags, storeFlag } from '../store/flags.ts'
import { bodiesOf, countSkipped, openStore, requireTopic } from '../store/store.ts'
import { lookOf, renderMessage } from '../text/message-line.ts'

/** `jwz latest`: the newest message of a topic, so that a topic serves as a register. Exits 3 when there is none. */
export const latest = defineVerb({
  summary: 'Print the newest message of a topic; its bare body in a pipe',
  args: [{ name: 'topic', summary: 'The topic', complete: 'topic' }],
  flags: {
    key: { type: 'string', value: 'KEY', summary: 'Only what was posted under this key' },
    'max-age': { type: 'duration', summary: 'Exit 3 when it is older than this' },
    ...filterFlags,
    ...storeFlag,
  },
  examples: ['jwz latest loop:current', 'jwz latest loop:current --max-age 2h --json | jq .data'],
  async run(call) {
    const { topic } = call.args
    const { key, 'max-age': ageMaxMs } = call.flags
    const store = openStore(call)
    requireTopic(store, topic)
    const skipped = countSkipped(call.output.note)
    const now = call.now()
    const given = await filterOf(store, call.flags, { now, env: call.env })
    const isMeant = (message: Message) => (key === undefined || message.key === key) && given.isMeant(message)
    const filter = { ...given, isMeant }
    const [message] = selectNewest({ store, topic, limit: 1, filter, onSkipped: skipped.onSkipped })
    skipped.say()
    if (!message)
      throw new Failure('notFound', `no such message in ${topic}`, {
        hint: `jwz read ${topic} --all shows what is there`,
      })
    if (ageMaxMs !== undefined && message.at < now - ageMaxMs)
      throw new Failure(
        'notFound',
        `the newest message in ${topic} is from ${renderAge(message.at, now)}, which is too old`,
      )
    const look = lookOf(call.output, now)
    call.output.one(bodiesOf(store, call.output.note)(message), {
      text: (found) => (look.isTerminal ? renderMessage(found, look) : found.body),
      id: ({ id }) => id,
    })
    return undefined
  },
})
