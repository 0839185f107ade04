import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/cli-kit/failure'
import { fromFlag, storeFlag } from '../flags.ts'
import { lookOf, renderMessage } from '../render.ts'
import { selectNewest } from '../select.ts'
import { bodiesOf, countSkipped, openStore, requireTopic } from '../store.ts'

/** `jwz latest`: the newest message of a topic, so that a topic serves as a register. Exits 3 when there is none. */
export const latest = defineVerb({
  summary: 'Print the newest message of a topic; its bare body in a pipe',
  args: [{ name: 'topic', summary: 'The topic' }],
  flags: { ...fromFlag, ...storeFlag },
  examples: ['jwz latest loop:current', 'jwz latest loop:current --json | jq .data'],
  run(call) {
    const { topic } = call.args
    const store = openStore(call)
    requireTopic(store, topic)
    const skipped = countSkipped(call.output.note)
    const filter = { from: call.flags.from, since: undefined }
    const [message] = selectNewest({ store, topic, limit: 1, filter, onSkipped: skipped.onSkipped })
    skipped.say()
    if (!message)
      throw new Failure('notFound', `no message in ${topic}${filter.from === undefined ? '' : ` from ${filter.from}`}`)
    const look = lookOf(call.output, call.now())
    call.output.one(bodiesOf(store, call.output.note)(message), {
      text: (found) => (look.isTerminal ? renderMessage(found, look) : found.body),
      id: ({ id }) => id,
    })
    return undefined
  },
})
