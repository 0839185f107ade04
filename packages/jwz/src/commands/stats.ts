import { defineVerb } from '@switchyard/cli-kit'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { Failure } from '@switchyard/ground/failure'
import { topicPattern } from '@switchyard/topic'
import { countStore } from '../message/stats.ts'
import { renderStats } from '../render/stats.ts'
import { storeFlag } from '../store/flags.ts'
import { manyTopics } from '../store/many-topics.ts'
import { countSkipped, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz stats`: how much is on the bus, who says it and where. */
export const stats = defineVerb({
  summary: 'Count what is on the bus, by topic and by sender',
  args: [{ name: 'pattern', summary: 'Only these topics: issue:* or a name', optional: true, complete: 'topic' }],
  flags: {
    since: { type: 'string', value: 'WHEN', summary: 'Count no older messages than: 10m, 2h, 1d or a date' },
    ...storeFlag,
  },
  examples: ['jwz stats', "jwz stats 'issue:*' --since 1d --json"],
  run(call) {
    const { pattern } = call.args
    const { since } = call.flags
    const store = openStore(call)
    const now = call.now()
    const { names, sparing, ended } = manyTopics(store, call.output.note)
    const topics = names.filter(topicPattern(pattern ?? '*'))
    if (pattern !== undefined && topics.length === 0) {
      throw new Failure('notFound', `no topic ${pattern} in ${store.path}`, { hint: 'jwz topic list shows them' })
    }
    const skipped = countSkipped(call.output.note)
    const from = since === undefined ? undefined : parseMoment(since, now)
    const counted = countStore(store, topics, { since: from, sparing, onSkipped: skipped.onSkipped })
    const look = lookOf(call.output, now)
    call.output.one(counted, { text: (found) => renderStats(found, look), id: (found) => found.store })
    skipped.say()
    return ended()
  },
})
