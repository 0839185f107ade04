import { defineVerb, exitCodes } from '@switchyard/cli-kit'
import { checkLog } from '@switchyard/jsonl'
import { listTopics, topicPath, topicPattern } from '@switchyard/topic'
import { storeFlag } from '../flags.ts'
import { openStore } from '../store.ts'

/** `jwz check`: reads every line. Exits 7 when one is corrupt; lines that a kill cut off are counted, and harmless. */
export const check = defineVerb({
  summary: 'Check every line of the topics',
  args: [{ name: 'pattern', summary: 'Only these topics: issue:* or a name', optional: true }],
  flags: storeFlag,
  examples: ['jwz check', "jwz check 'issue:*' --json"],
  run(call) {
    const store = openStore(call)
    const topics = listTopics(store).filter(topicPattern(call.args.pattern ?? '*'))
    const reports = topics.map((topic) => ({ topic, ...checkLog(topicPath(store, topic)) }))
    call.output.list(reports, {
      text: ({ topic, records, torn, duplicates, corrupt }) =>
        [
          `${topic}: ${records} records, ${torn} torn, ${duplicates} repeated, ${corrupt.length} corrupt`,
          ...corrupt.map(({ file, line, reason }) => `  ${file}:${line}: ${reason}`),
        ].join('\n'),
      id: ({ topic }) => topic,
      empty: `no topics in ${store.path}`,
    })
    return reports.some(({ corrupt }) => corrupt.length > 0) ? exitCodes.corrupt : undefined
  },
})
