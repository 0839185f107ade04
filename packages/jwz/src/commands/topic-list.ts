import { defineVerb } from '@switchyard/cli-kit'
import { listTopics, topicPattern } from '@switchyard/topic'
import { storeFlag } from '../flags.ts'
import { renderAge } from '../render.ts'
import { openStore, summariseTopic } from '../store.ts'

/** `jwz topic list`: each topic with its size and its newest message's time. */
export const topicList = defineVerb({
  summary: 'List topics',
  args: [{ name: 'pattern', summary: 'Only these: issue:* or a name', optional: true }],
  flags: storeFlag,
  examples: ['jwz topic list', "jwz topic list 'issue:*' --json"],
  run(call) {
    const store = openStore(call)
    const isMeant = topicPattern(call.args.pattern ?? '*')
    const topics = listTopics(store).filter(isMeant)
    const now = call.now()
    call.output.list(
      topics.map((topic) => summariseTopic(store, topic)),
      {
        text: ({ topic, messages, last_at, last_from }) =>
          last_at === null ? `${topic}  0` : `${topic}  ${messages}  ${renderAge(last_at, now)}  ${last_from}`,
        id: ({ topic }) => topic,
        empty: `no topics in ${store.path}`,
      },
    )
    return undefined
  },
})
