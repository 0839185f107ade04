import { defineVerb } from '@switchyard/cli-kit'
import { ackedBy } from '../message/acks.ts'
import { marked } from '../message/filter.ts'
import { findMessage } from '../message/find-message.ts'
import { renderFull } from '../render/full.ts'
import { storeFlag } from '../store/flags.ts'
import { bodiesOf, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz show`: one message with all its fields. */
export const show = defineVerb({
  summary: 'Show a message with all its fields',
  args: [{ name: 'id', summary: 'The message, by its id or a unique beginning or end of it', complete: 'message' }],
  flags: storeFlag,
  examples: ['jwz show 01KAH5T5A9Q3'],
  run(call) {
    const store = openStore(call)
    const now = call.now()
    const entry = findMessage(store, call.args.id, undefined, { voidToo: true })
    const look = lookOf(call.output, now)
    // Only what is addressed waits for acknowledgements, and they may stand anywhere behind it.
    const acked = entry.message.to === undefined ? [] : ackedBy(store, entry)
    const message = { ...marked(entry, now), ...(acked.length > 0 && { acked }) }
    call.output.one(bodiesOf(store, call.output.note)(message), {
      text: (whole) => renderFull(whole, look),
      id: ({ id }) => id,
    })
    return undefined
  },
})
