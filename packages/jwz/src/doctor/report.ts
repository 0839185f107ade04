// What is in each log, counted, and what of it is damaged: for scripts that ask whether topics are sound.
import type { Output } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { checkLog } from '@switchyard/jsonl'
import { type Store, topicPath, topicPattern } from '@switchyard/topic'
import { fileFaults } from '../store/file-faults.ts'
import { manyTopics } from '../store/many-topics.ts'

/**
 * Reads every line and every body of the topics that fit `pattern`, of all without one, and prints what is there. Exits
 * 7 when one is corrupt, or what has the place of a topic cannot be read as one; lines that a kill cut off are counted,
 * and harmless. Failure `notFound` for a pattern that no topic fits, where
 * all are seen.
 */
export function reportLogs(store: Store, pattern: string | undefined, output: Output): ExitCode | undefined {
  let odd = 0
  const { names, sparing, ended } = manyTopics(store, (text) => {
    odd += 1
    output.note(text)
  })
  const topics = names.filter(topicPattern(pattern ?? '*'))
  if (pattern !== undefined && topics.length === 0 && ended() === undefined) {
    throw new Failure('notFound', `no topic ${pattern} in ${store.path}`, { hint: 'jwz topic list shows them' })
  }
  const reports = topics.flatMap((topic) => [...sparing(topic, () => [reportOn(store, topic)])])
  output.list(reports, {
    text: renderReport,
    id: ({ topic }) => topic,
    empty: `no ${pattern === undefined ? 'topics' : `topic ${pattern} is seen`} in ${store.path}`,
  })
  const isSound = reports.every(({ corrupt, bodies }) => corrupt.length + bodies.length === 0)
  return isSound && odd === 0 ? ended() : exitCodes.corrupt
}

function reportOn(store: Store, topic: string) {
  return { topic, ...checkLog(topicPath(store, topic)), bodies: fileFaults(store, topic) }
}

type Report = ReturnType<typeof reportOn>

function renderReport({ topic, records, torn, duplicates, corrupt, bodies }: Report): string {
  return [
    `${topic}: ${counted(records, 'record')}, ${torn} torn, ${duplicates} repeated, ${corrupt.length + bodies.length} corrupt`,
    ...corrupt.map(({ file, line, reason }) => `  ${file}:${line}: ${reason}`),
    ...bodies.map(({ id, reason }) => `  ${id}: ${reason}`),
  ].join('\n')
}
