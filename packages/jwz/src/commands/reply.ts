import { defineVerb } from '@switchyard/cli-kit'
import { postMessage } from '@switchyard/topic'
import { envelope, readBody } from '../draft.ts'
import { findMessage } from '../find-message.ts'
import { draftFlags, storeFlag } from '../flags.ts'
import { openStore } from '../store.ts'

/** `jwz reply`: answers a message in its own topic. */
export const reply = defineVerb({
  summary: 'Answer a message',
  args: [
    { name: 'id', summary: 'The message, by its id or a unique beginning or end of it' },
    { name: 'source', summary: '- takes the message from stdin', optional: true },
  ],
  flags: { ...draftFlags, ...storeFlag },
  examples: ['jwz reply 01KAH5T5A9Q3 -m "Confirmed"'],
  async run(call) {
    const store = openStore(call)
    const parent = findMessage(store, call.args.id).message
    const body = readBody({ ...call, source: call.args.source })
    const draft = { ...envelope(call, store), topic: parent.topic, body, reply_to: parent.id }
    const message = await postMessage(store, draft, call.now())
    call.output.one(message, { text: ({ id }) => id, id: ({ id }) => id })
    return undefined
  },
})
