import { defineVerb } from '@switchyard/cli-kit'
import { findMessage } from '../find-message.ts'
import { storeFlag } from '../flags.ts'
import { lookOf, renderThreaded } from '../render.ts'
import { bodiesOf, countSkipped, openStore, readWhole } from '../store.ts'
import { findRoot, threadOf } from '../thread.ts'

/** `jwz thread`: the whole thread a message belongs to, each message with its depth. */
export const thread = defineVerb({
  summary: 'Show the thread a message belongs to',
  args: [{ name: 'id', summary: 'Any message of the thread' }],
  flags: storeFlag,
  examples: ['jwz thread 01KAH5T5A9Q3'],
  run(call) {
    const store = openStore(call)
    const member = findMessage(store, call.args.id).message
    const skipped = countSkipped(call.output.note)
    const messages = readWhole(store, member.topic, skipped.onSkipped).map(({ message }) => message)
    const byId = new Map(messages.map((message) => [message.id, message]))
    const look = lookOf(call.output, call.now())
    const whole = bodiesOf(store, call.output.note)
    const placed = threadOf(messages, findRoot(byId, member)).map(({ message, depth, lead, under }) => ({
      value: { ...whole(message), depth },
      lines: { lead, under },
    }))
    const linesOf = new Map(placed.map(({ value, lines }) => [value.id, lines]))
    call.output.list(
      placed.map(({ value }) => value),
      {
        text: (message) => renderThreaded(message, linesOf.get(message.id) ?? { lead: '', under: '' }, look),
        id: ({ id }) => id,
      },
    )
    skipped.say()
    return undefined
  },
})
