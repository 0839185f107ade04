import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { checkLog } from '@switchyard/jsonl'
import { type Store, topicPath, topicPattern } from '@switchyard/topic'
import { fileFaults } from '../store/file-faults.ts'
import { storeFlag } from '../store/flags.ts'
import { manyTopics } from '../store/many-topics.ts'
import { openStore } from '../store/store.ts'

function checkTopic(store: Store, topic: string) {
  return { topic, ...checkLog(topicPath(store, topic)), bodies: fileFaults(store, topic) }
}

type Report = ReturnType<typeof checkTopic>

function renderReport({ topic, records, torn, duplicates, corrupt, bodies }: Report): string {
  return [
    `${topic}: ${counted(records, 'record')}, ${torn} torn, ${duplicates} repeated, ${corrupt.length + bodies.length} corrupt`,
    ...corrupt.map(({ file, line, reason }) => `  ${file}:${line}: ${reason}`),
    ...bodies.map(({ id, reason }) => `  ${id}: ${reason}`),
  ].join('\n')
}

/**
 * `jwz check`: reads every line and every body. Exits 7 when one is corrupt, or what has the place of a topic cannot be
 * read as one; lines that a kill cut off are counted, and harmless.
 */
export const check = defineVerb({
  summary: 'Check every line and body of the topics',
  args: [{ name: 'pattern', summary: 'Only these topics: issue:* or a name', optional: true, complete: 'topic' }],
  flags: storeFlag,
  examples: ['jwz check', "jwz check 'issue:*' --json"],
  run(call) {
    const { pattern } = call.args
    const store = openStore(call)
    let odd = 0
    const { names, sparing, ended } = manyTopics(store, (text) => {
      odd += 1
      call.output.note(text)
    })
    const topics = names.filter(topicPattern(pattern ?? '*'))
    if (pattern !== undefined && topics.length === 0) {
      throw new Failure('notFound', `no topic ${pattern} in ${store.path}`, { hint: 'jwz topic list shows them' })
    }
    const reports = topics.flatMap((topic) => [...sparing(topic, () => [checkTopic(store, topic)])])
    call.output.list(reports, { text: renderReport, id: ({ topic }) => topic, empty: `no topics in ${store.path}` })
    const isSound = reports.every(({ corrupt, bodies }) => corrupt.length + bodies.length === 0)
    return isSound && odd === 0 ? ended() : exitCodes.corrupt
  },
})
