import { defineVerb } from '@switchyard/cli-kit'
import { parseTextQuery } from '@switchyard/cli-kit/text-query'
import { exitCodes } from '@switchyard/ground/failure'
import { topicPattern } from '@switchyard/topic'
import { filterOf } from '../message/filter.ts'
import { glanceFor } from '../message/glance.ts'
import { searchTopics } from '../message/search.ts'
import { renderFound } from '../render/found.ts'
import { allFlag, filterFlags, limitFlag, periodFlags, storeFlag } from '../store/flags.ts'
import { manyTopics } from '../store/many-topics.ts'
import { bodiesOf, countSkipped, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz search`: messages that fit a query, of all topics, newest first. Exits 3 when there is none. */
export const search = defineVerb({
  summary: 'Find messages, newest first',
  args: [
    {
      name: 'words',
      summary: 'All of them, or "a phrase", begin*, OR, NOT, (groups); upper and lower case are the same',
      optional: true,
      rest: true,
    },
  ],
  flags: {
    topic: { type: 'string', value: 'PATTERN', complete: 'topic', summary: 'Only in these topics: issue:* or a name' },
    ...periodFlags,
    ...filterFlags,
    ...allFlag,
    ...limitFlag,
    ...storeFlag,
  },
  examples: [
    'jwz search race condition',
    'jwz search \'(deadlock OR "race condition") NOT fixed\'',
    'jwz search "REVIEW:" --topic \'issue:*\' --from oracle',
  ],
  async run(call) {
    const { topic, limit } = call.flags
    const store = openStore(call)
    const now = call.now()
    const query = parseTextQuery(call.args.words.join(' '))
    const { names, sparing, ended } = manyTopics(store, call.output.note)
    const topics = names.filter(topicPattern(topic ?? '*'))
    const skipped = countSkipped(call.output.note)
    const filter = await filterOf(store, call.flags, { now, env: call.env })
    const glance = glanceFor(query, call.flags)
    const found = searchTopics({ store, topics, sparing, query, filter, limit, glance, onSkipped: skipped.onSkipped })
    const look = lookOf(call.output, now)
    call.output.list(found.map(bodiesOf(store, call.output.note)), {
      text: (message) => renderFound(message, query, look),
      id: ({ id }) => id,
      empty: 'no message fits',
    })
    skipped.say()
    return ended(found.length === 0 ? exitCodes.notFound : undefined)
  },
})
