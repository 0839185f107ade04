import { defineVerb } from '@switchyard/cli-kit'
import { listCursors, unknownConsumer } from '../consumer/cursor-file.ts'
import { summariseCursor } from '../consumer/cursor-summary.ts'
import { cursorLines } from '../render/cursors.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz cursor list`: how far each consumer has read each topic. */
export const cursorList = defineVerb({
  summary: 'List how far consumers have read',
  args: [{ name: 'consumer', summary: 'Only this one', optional: true }],
  flags: storeFlag,
  examples: ['jwz cursor list', 'jwz cursor list deploy --json'],
  run(call) {
    const store = openStore(call)
    const { consumer } = call.args
    const cursors = listCursors(store, consumer).map((cursor) => summariseCursor(store, cursor))
    if (consumer !== undefined && cursors.length === 0) throw unknownConsumer(store, consumer)
    call.output.list(cursors, {
      text: cursorLines(cursors, lookOf(call.output, call.now())),
      id: ({ consumer: name }) => name,
      empty: `no consumers in ${store.path}`,
    })
    return undefined
  },
})
