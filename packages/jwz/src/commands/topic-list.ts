import { defineVerb } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { topicPattern } from '@switchyard/topic'
import { countFiles, summariseTopic } from '../message/topic-summary.ts'
import { renderTotals, topicLines } from '../render/topics.ts'
import { storeFlag } from '../store/flags.ts'
import { manyTopics } from '../store/many-topics.ts'
import { countSkipped, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz topic list`: each topic with its messages, its size and its newest message; at a terminal what all come to. */
export const topicList = defineVerb({
  summary: 'List topics, and how much is said on them',
  args: [{ name: 'pattern', summary: 'Only these: issue:* or a name', optional: true, complete: 'topic' }],
  flags: {
    since: { type: 'string', value: 'WHEN', summary: 'Count no older messages than: 10m, 2h, 1d or a date' },
    ...storeFlag,
  },
  examples: ['jwz topic list', "jwz topic list 'issue:*' --since 1d --json"],
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
    const now = call.now()
    const since = call.flags.since === undefined ? undefined : parseMoment(call.flags.since, now)
    const skipped = countSkipped(call.output.note)
    const counting = { since, onSkipped: skipped.onSkipped }
    const topics = names.flatMap((topic) => [...sparing(topic, () => [summariseTopic(store, topic, counting)])])
    call.output.list(topics, {
      text: topicLines(topics, lookOf(call.output, now)),
      id: ({ topic }) => topic,
      empty: `no topics in ${store.path}`,
    })
    if (call.output.isTerminal && topics.length > 0) call.output.note(renderTotals(topics, countFiles(store, sparing)))
    skipped.say()
    return ended()
  },
})
