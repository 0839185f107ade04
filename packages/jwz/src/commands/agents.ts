import { defineVerb } from '@switchyard/cli-kit'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { topicPattern } from '@switchyard/topic'
import { retiredMs, surveyAgents } from '../message/agents.ts'
import { agentLines } from '../render/agents.ts'
import { storeFlag } from '../store/flags.ts'
import { manyTopics } from '../store/many-topics.ts'
import { countSkipped, openStore } from '../store/store.ts'
import { lookOf } from '../text/message-line.ts'

/** `jwz agents`: who has spoken, and how long ago. */
export const agents = defineVerb({
  summary: 'List who has spoken, and how long ago',
  args: [{ name: 'pattern', summary: 'Only on these topics: issue:* or a name', optional: true, complete: 'topic' }],
  flags: {
    since: { type: 'string', value: 'WHEN', summary: 'Look back to: 10m, 2h, 7d or a date (default: 1d)' },
    all: { type: 'boolean', summary: 'Also who has retired: not a word for a day' },
    limit: { type: 'integer', value: 'N', min: 1, max: 1_000_000, default: 100, summary: 'Print at most N agents' },
    ...storeFlag,
  },
  examples: ['jwz agents', "jwz agents 'issue:*' --since 2h --json"],
  run(call) {
    const { since, all, limit } = call.flags
    const store = openStore(call)
    const now = call.now()
    const recent = all ? undefined : now - retiredMs
    const { names, sparing, ended } = manyTopics(store, call.output.note)
    const topics = names.filter(topicPattern(call.args.pattern ?? '*'))
    const skipped = countSkipped(call.output.note)
    const found = surveyAgents({
      store,
      topics,
      sparing,
      since: since === undefined ? recent : parseMoment(since, now, '--since'),
      now,
      onSkipped: skipped.onSkipped,
    }).filter(({ state }) => all || state !== 'retired')
    const shown = found.slice(0, limit)
    if (shown.length < found.length) call.output.note(`${shown.length} of ${found.length} shown; --limit shows more`)
    call.output.list(shown, {
      text: agentLines(shown, lookOf(call.output, now)),
      id: ({ name }) => name,
      empty: 'nobody has spoken here; --all shows who has retired',
    })
    skipped.say()
    return ended()
  },
})
