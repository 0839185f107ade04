import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure, isFailure } from '@switchyard/ground/failure'
import {
  type Compacted,
  type CompactOptions,
  compactTopic,
  listTopics,
  type Store,
  topicPattern,
} from '@switchyard/topic'
import { type Collected, collectBlobs } from '@switchyard/topic/blob-gc'
import { consumersOfSegment } from '../consumer/of-segment.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** A file that no message names may belong to one that is just being posted. */
const unusedMs = 24 * 3_600_000

/**
 * `jwz compact`: seals large or old files of topics and drops old segments, beside whoever writes and reads, and
 * removes files that no message names any more. Goes on when a topic fails, and exits with its code in the end.
 */
export const compact = defineVerb({
  summary: 'Drop what is old or expired, in whole segments, and files that no message names',
  args: [{ name: 'pattern', summary: "Only these topics: 'build:*' or a name", optional: true, complete: 'topic' }],
  flags: {
    'older-than': { type: 'duration', summary: 'Drop what was said longer ago; else only what has expired' },
    archive: { type: 'string', value: 'DIR', summary: 'Copy to DIR what is dropped, first' },
    'seal-above': {
      type: 'integer',
      value: 'BYTES',
      min: 1,
      max: 1_000_000_000_000,
      default: 1_000_000,
      summary: 'End the segment of a topic that is larger, so that it can be dropped as a whole once it is old',
    },
    force: { type: 'boolean', summary: 'Drop also what a consumer has not read' },
    'dry-run': { type: 'boolean', summary: 'Only say what would be done' },
    ...storeFlag,
  },
  examples: ['jwz compact --older-than 30d', "jwz compact 'build:*' --older-than 1d --archive ../old --dry-run"],
  async run(call) {
    const { pattern } = call.args
    const { archive, force, 'older-than': age, 'seal-above': sealAboveBytes, 'dry-run': dryRun } = call.flags
    if (archive === '') throw new Failure('usage', '--archive names no folder', { hint: 'give a path' })
    const store = openStore(call)
    const topics = listTopics(store).filter(topicPattern(pattern ?? '*'))
    if (pattern !== undefined && topics.length === 0) {
      throw new Failure('notFound', `no topic ${pattern} in ${store.path}`, { hint: 'jwz topic list shows them' })
    }
    const now = call.now()
    const options = {
      now,
      before: age === undefined ? undefined : now - age,
      archive: archive === undefined ? undefined : resolve(call.cwd, archive),
      sealAboveBytes,
      force,
      dryRun,
    }
    const { compacted, failures } = await compactAll(store, topics, options)
    call.output.list(compacted.filter(isWorthSaying), {
      text: (report) =>
        isCleared(report) ? renderCleared(report, dryRun) : renderCompacted(report, { dryRun, force }),
      id: (report) => (isCleared(report) ? report.files.removed.map(({ sha256 }) => sha256) : report.topic),
      ...(failures.length === 0 ? { empty: 'nothing is old or large enough to be sealed or dropped' } : {}),
    })
    for (const failure of failures) throw failure
    return undefined
  },
})

/** Compacts the topics, then the files that no message names; one that fails keeps no other from it. */
async function compactAll(store: Store, topics: readonly string[], options: Omit<CompactOptions, 'unreadBy'>) {
  const compacted: (Compacted | Cleared)[] = []
  const failures: Failure[] = []
  const attempt = async (act: () => Promise<Compacted | Cleared>) => {
    try {
      compacted.push(await act())
    } catch (error) {
      if (!isFailure(error)) throw error
      failures.push(error)
    }
  }
  for (const topic of topics) {
    const unreadBy = (file: string) => consumersOfSegment(store, topic, file)
    await attempt(() => compactTopic(store, topic, { ...options, unreadBy }))
  }
  await attempt(async () => {
    const files = await collectBlobs(store, { ...options, olderThanMs: unusedMs })
    return { topic: null, sealed: null, dropped: null, unread_by: [], files }
  })
  return { compacted, failures }
}

/** What became of the files that no message names. */
type Cleared = Omit<Compacted, 'topic'> & { topic: null; files: Collected }

function isCleared(report: Compacted | Cleared): report is Cleared {
  return report.topic === null
}

function isWorthSaying(report: Compacted | Cleared): boolean {
  if (isCleared(report)) return report.files.removed.length + report.files.drafts > 0
  return report.sealed !== null || report.dropped !== null || report.unread_by.length > 0
}

function renderCleared({ files: { removed, bytes, drafts } }: Cleared, dryRun: boolean): string {
  const parts = [
    ...(removed.length === 0 ? [] : [`${counted(removed.length, 'unused file')} (${counted(bytes, 'byte')})`]),
    ...(drafts === 0 ? [] : [counted(drafts, 'left-over draft')]),
  ]
  return `${dryRun ? 'would have removed' : 'removed'} ${parts.join(' and ')}`
}

type Extent = NonNullable<Compacted['sealed']>

function sized({ messages, bytes }: Extent): string {
  return `${counted(messages, 'message')} (${counted(bytes, 'byte')})`
}

type Manner = { dryRun: boolean; force: boolean }

/** What `compact` did to a topic, or would do, in one line. */
function renderCompacted({ topic, sealed, dropped, unread_by }: Compacted, { dryRun, force }: Manner) {
  const would = dryRun ? 'would have ' : ''
  const parts = [
    ...(sealed === null ? [] : [`${would}sealed ${sized(sealed)}`]),
    ...(dropped === null ? [] : [`${would}dropped ${counted(dropped.segments, 'segment')} of ${sized(dropped)}`]),
    ...(unread_by.length === 0 ? [] : [`${force ? 'not read' : 'kept, because not read'} by ${unread_by.join(', ')}`]),
  ]
  return `${topic}: ${parts.join('; ')}`
}
