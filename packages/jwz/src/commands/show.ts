import { defineVerb } from '@switchyard/cli-kit'
import { ackedBy } from '../message/acks.ts'
import { marked } from '../message/filter.ts'
import { findMessage } from '../message/find-message.ts'
import { renderFull } from '../render/full.ts'
import { storeFlag } from '../store/flags.ts'
import { bodiesOf, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz show`: one message with all its fields, or a file that came with it. */
export const show = defineVerb({
  summary: 'Show a message with all its fields, or a file that came with it',
  args: [{ name: 'id', summary: 'The message, by its id or a unique beginning or end of it', complete: 'message' }],
  flags: {
    attachment: {
      type: 'string',
      value: 'NAME',
      summary: 'Print this file instead, by its name or the beginning of its SHA-256',
    },
    out: { type: 'string', short: 'o', value: 'FILE', summary: 'Write the file to FILE, whole or not at all' },
    ...storeFlag,
  },
  examples: ['jwz show 01KAH5T5A9Q3', 'jwz show 01KAH5T5A9Q3 --attachment run.log -o run.log'],
  async run(call) {
    const store = openStore(call)
    const now = call.now()
    const entry = findMessage(store, call.args.id, undefined, { voidToo: true })
    if (call.flags.attachment !== undefined || call.flags.out !== undefined) {
      const { printAttachment } = await import('../render/print-attachment.ts')
      printAttachment(call, store, entry.message)
      return undefined
    }
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
