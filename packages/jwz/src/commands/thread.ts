import { defineVerb } from '@switchyard/cli-kit'
import type { Entry } from '@switchyard/topic'
import { marked } from '../message/filter.ts'
import { findMessage } from '../message/find-message.ts'
import { readThread } from '../message/read-threads.ts'
import { printThreads } from '../render/print-threads.ts'
import { storeFlag } from '../store/flags.ts'
import { bodiesOf, countSkipped, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz thread`: the whole thread a message belongs to, each message with its depth. */
export const thread = defineVerb({
  summary: 'Show the thread a message belongs to',
  args: [{ name: 'id', summary: 'Any message of the thread', complete: 'message' }],
  flags: storeFlag,
  examples: ['jwz thread 01KAH5T5A9Q3'],
  run(call) {
    const store = openStore(call)
    const { id, topic } = findMessage(store, call.args.id).message
    const skipped = countSkipped(call.output.note)
    const now = call.now()
    const filter = { isMeant: () => true, since: undefined, voidToo: false, mark: (entry: Entry) => marked(entry, now) }
    const placed = readThread({ store, topic, filter, onSkipped: skipped.onSkipped }, id)
    const look = lookOf(call.output, now)
    printThreads(call.output, placed, {
      whole: bodiesOf(store, call.output.note),
      look,
      empty: `no messages in ${topic}`,
    })
    skipped.say()
    return undefined
  },
})
