import { defineVerb } from '@switchyard/cli-kit'
import { createTopic } from '@switchyard/topic'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz topic new`: makes an empty topic, so that it is listed before anybody posts to it. */
export const topicNew = defineVerb({
  summary: 'Make an empty topic; a first post would do it as well',
  args: [{ name: 'topic', summary: 'The topic' }],
  flags: storeFlag,
  examples: ['jwz topic new issue:auth-123'],
  run(call) {
    const { topic } = call.args
    const isNew = createTopic(openStore(call), topic)
    call.output.one({ v: 1, topic, new: isNew }, { text: () => topic, id: () => topic })
    return undefined
  },
})
