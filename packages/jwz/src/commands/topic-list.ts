import { defineVerb } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { topicPattern } from '@switchyard/topic'
import { topicLines } from '../render/topics.ts'
import { storeFlag } from '../store/flags.ts'
import { manyTopics } from '../store/many-topics.ts'
import { openStore, summariseTopic } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz topic list`: each topic with its size and its newest message's time. */
export const topicList = defineVerb({
  summary: 'List topics',
  args: [{ name: 'pattern', summary: 'Only these: issue:* or a name', optional: true, complete: 'topic' }],
  flags: storeFlag,
  examples: ['jwz topic list', "jwz topic list 'issue:*' --json"],
  run(call) {
    const store = openStore(call)
    const isMeant = topicPattern(call.args.pattern ?? '*')
    const { names: all, sparing, ended } = manyTopics(store, call.output.note)
    const names = all.filter(isMeant)
    // Names alone are had without reading a topic, and a shell that completes them waits for each key.
    if (call.output.mode === 'quiet') {
      call.output.list(names, { text: inRow, id: (name) => name })
      return ended()
    }
    const topics = names.flatMap((topic) => [...sparing(topic, () => [summariseTopic(store, topic)])])
    call.output.list(topics, {
      text: topicLines(topics, lookOf(call.output, call.now())),
      id: ({ topic }) => topic,
      empty: `no topics in ${store.path}`,
    })
    return ended()
  },
})
