import { defineVerb } from '@switchyard/cli-kit'
import { postMessage } from '@switchyard/topic'
import { answerTo, envelope, keyOf, lifetime, readBody, withFiles } from '../message/draft.ts'
import { findMessage } from '../message/find-message.ts'
import { draftFlags, keyFlag, storeFlag } from '../store/flags.ts'
import { noteOtherBody, openStore } from '../store/store.ts'

/** `jwz reply`: answers a message in its own topic, addressed to its author unless `--to` says otherwise. */
export const reply = defineVerb({
  summary: 'Answer a message',
  args: [
    { name: 'id', summary: 'The message, by its id or a unique beginning or end of it', complete: 'message' },
    { name: 'source', summary: '- takes the message from stdin', optional: true },
  ],
  flags: { ...draftFlags, ...keyFlag, ...storeFlag },
  examples: ['jwz reply 01KAH5T5A9Q3 -m "Confirmed"'],
  async run(call) {
    const store = openStore(call)
    const parent = findMessage(store, call.args.id).message
    const body = readBody({ ...call, source: call.args.source })
    const now = call.now()
    const { ttl, key } = call.flags
    const extras = { ...lifetime(ttl, now), ...keyOf(key), reply_to: parent.id }
    const said = envelope(call, store)
    const draft = { ...said, ...answerTo(said, parent), ...extras, topic: parent.topic, body }
    const message = await withFiles(call, store, (files) => postMessage(store, { ...draft, ...files }, now))
    if (key !== undefined) noteOtherBody(store, message, body, call.output.note)
    call.output.one(message, { text: ({ id }) => id, id: ({ id }) => id })
    return undefined
  },
})
