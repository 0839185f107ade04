import { counted } from '@switchyard/cli-kit/counted'
import { checkLog } from '@switchyard/jsonl'
import { listTopics, readMessagesBackwards, type Store, topicPath } from '@switchyard/topic'
import { bad, type Finding, ok, orBad, warn } from '@switchyard/topic/examine/finding'
import { leaseLog } from '../lease/log.ts'
import { fileFaults } from '../store/file-faults.ts'

/** How far clocks may disagree before it is said. */
const clockSkewMs = 10 * 60_000

/** Looks at every line and long body of every topic, and at the clocks of those who wrote them. */
export async function examineLogs(store: Store, now: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const topics = listTopics(store, ({ path, reason }) => {
    findings.push(bad('logs', `${path}: ${reason}`, 'give this user the right to read it, or move it away'))
  })
  let torn = 0
  const examineLog = (path: string) => {
    const check = checkLog(path)
    torn += check.torn
    return check.corrupt.map(describeCorrupt)
  }
  for (const topic of topics) {
    const found = await orBad('logs', () => [
      ...examineLog(topicPath(store, topic)),
      ...examineFiles(store, topic),
      ...examineClock(store, topic, now),
    ])
    findings.push(...found)
  }
  findings.push(...(await orBad('leases', () => examineLog(leaseLog(store)).map(asLease))))
  if (findings.some(({ state }) => state === 'bad')) return findings
  const cut = torn === 0 ? '' : `; ${torn} cut off by a kill, which is harmless`
  return [ok('logs', `${counted(topics.length, 'topic')}, every line whole${cut}`), ...findings]
}

function examineFiles(store: Store, topic: string): Finding[] {
  return fileFaults(store, topic).map(({ id, reason }) =>
    bad('files', `${topic}: message ${id}: ${reason}`, 'jwz import it from another clone’s export'),
  )
}

/** No export has leases: a lost one is taken anew. */
function asLease({ detail }: Finding): Finding {
  return bad('leases', detail, 'readers skip it; see jwz lease list, and acquire anew what is missing there')
}

function describeCorrupt({ file, line, reason }: { file: string; line: number; reason: string }): Finding {
  const isConflict = reason.includes('conflict')
  const advice = isConflict
    ? 'take the marker lines out with an editor'
    : 'readers skip it; jwz import restores the message'
  return bad('logs', `${file}:${line}: ${reason}`, advice)
}

/** Only the newest: a message from the future stays the newest for readers that ask by time. */
function examineClock(store: Store, topic: string, now: number): Finding[] {
  for (const { message } of readMessagesBackwards(store, topic)) {
    if (message.at <= now + clockSkewMs) return []
    const minutes = Math.round((message.at - now) / 60_000)
    const detail = `${topic}: ${message.from} posted ${message.id} ${minutes} minutes in the future`
    return [warn('clock', detail, 'set the clock of that machine; the order of messages does not depend on it')]
  }
  return []
}
