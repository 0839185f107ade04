import { defineVerb } from '@switchyard/cli-kit'
import { findMessage } from '../find-message.ts'
import { storeFlag } from '../flags.ts'
import { renderFull } from '../render.ts'
import { bodiesOf, openStore } from '../store.ts'

/** `jwz show`: one message with all its fields. */
export const show = defineVerb({
  summary: 'Show a message with all its fields',
  args: [{ name: 'id', summary: 'The message, by its id or a unique beginning or end of it' }],
  flags: storeFlag,
  examples: ['jwz show 01KAH5T5A9Q3'],
  run(call) {
    const store = openStore(call)
    const { message } = findMessage(store, call.args.id)
    call.output.one(bodiesOf(store, call.output.note)(message), { text: renderFull, id: ({ id }) => id })
    return undefined
  },
})
