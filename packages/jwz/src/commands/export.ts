import { type Call, defineVerb } from '@switchyard/cli-kit'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { type Store, topicPattern } from '@switchyard/topic'
import { chunksOf, outFile, outFolder, writeOut } from '@switchyard/topic/out-file'
import { type Documents, documentOf, type Written, writeDocuments } from '../export/documents.ts'
import { type PortableRecord, portableRecords } from '../export/jsonl.ts'
import type { ExportFilter } from '../exported/records.ts'
import { periodFlags, storeFlag } from '../store/flags.ts'
import { manyTopics, type Sparing } from '../store/many-topics.ts'
import { countSkipped, openStore, requireTopic } from '../store/store.ts'

const spec = {
  summary: 'Write topics to a file: to import elsewhere, or to read',
  args: [
    {
      name: 'topic',
      summary: 'Topics or patterns, such as issue:*; all when there is none',
      optional: true,
      rest: true,
      complete: 'topic',
    },
  ],
  flags: {
    format: {
      type: 'choice',
      choices: ['jsonl', 'markdown', 'html'],
      default: 'jsonl',
      summary: 'jsonl can be imported; markdown and html are for people',
    },
    out: {
      type: 'string',
      short: 'o',
      value: 'PATH',
      summary: 'Write to this file; to this folder for several documents',
    },
    since: periodFlags.since,
    ...storeFlag,
  },
  examples: [
    'jwz export > bus.jsonl',
    "jwz export 'issue:*' --since 1d --out issues.jsonl",
    'jwz export issue:auth-123 --format html --out auth.html',
    'jwz export --format html --out report',
  ],
} as const

/** What one call exports, and what it could not. */
type Job = {
  store: Store
  topics: string[]
  sparing: Sparing
  filter: ExportFilter
  onLostBody: (message: { id: string }) => void
}

/**
 * `jwz export`: topics as one file that `jwz import` takes, or as documents. Exits 7 when the body of a message is lost, or
 * a topic cannot be read.
 */
export const exportTopics = defineVerb({
  ...spec,
  run(call) {
    const { flags, output, now } = call
    const store = openStore(call)
    const skipped = countSkipped(output.note)
    let lost = 0
    const since = flags.since === undefined ? undefined : parseMoment(flags.since, now())
    const { names, sparing, ended } = manyTopics(store, output.note)
    const job: Job = {
      store,
      topics: topicsMeant(store, names, call.args.topic),
      sparing,
      filter: { since, now: now(), onSkipped: skipped.onSkipped },
      onLostBody: ({ id }) => {
        lost += 1
        output.note(`${id} is not whole: its body is not in ${store.path}; see jwz doctor`)
      },
    }
    const { format } = flags
    if (format === 'jsonl') exportRecords(call, job)
    else exportDocuments(call, { ...job, format })
    skipped.say()
    return ended(lost > 0 ? exitCodes.corrupt : undefined)
  },
})

/** The topics that fit any of the patterns; all where there is none. Fails as not found on a pattern that none fits. */
function topicsMeant(store: Store, all: readonly string[], patterns: readonly string[]): string[] {
  if (patterns.length === 0) return [...all]
  const meant = new Set<string>()
  for (const pattern of patterns) {
    const fitting = all.filter(topicPattern(pattern))
    if (fitting.length === 0) requireTopic(store, pattern)
    for (const topic of fitting) meant.add(topic)
  }
  return all.filter((topic) => meant.has(topic))
}

function exportRecords({ flags, cwd, output }: Call<typeof spec>, job: Job): void {
  const onLostFile = (text: string) => output.note(`${text}: it is not exported`)
  const { store, filter } = job
  const records = portableRecords(job, { ...job, onLostFile })
  if (flags.out !== undefined) {
    const path = outFile(store, cwd, flags.out)
    let messages = 0
    writeOut(
      path,
      linesOf(records, () => (messages += 1)),
      filter.now,
    )
    output.one({ path, topic: null, messages }, shownFile)
  } else if (output.mode === 'json') for (const piece of chunksOf(arrayOf(records))) output.raw(piece)
  else if (output.mode === 'quiet' || output.isTerminal) for (const record of records) output.each(record, shownRecord)
  else for (const piece of chunksOf(linesOf(records))) output.raw(piece)
}

const shownFile = { text: ({ path }: Written) => path, id: ({ path }: Written) => path }
const shownRecord = { text: (record: PortableRecord) => JSON.stringify(record), id: idOf }

function idOf(record: PortableRecord): string {
  return 'sha256' in record ? '' : record.id
}

function* linesOf(records: Iterable<PortableRecord>, onMessage: () => void = () => undefined): Generator<string> {
  for (const record of records) {
    if (!('type' in record)) onMessage()
    yield `${JSON.stringify(record)}\n`
  }
}

function* arrayOf(records: Iterable<PortableRecord>): Generator<string> {
  let separator = '['
  for (const record of records) {
    yield `${separator}${JSON.stringify(record)}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : ']\n'
}

/** One document where one topic is named; a folder of them where a pattern may fit several. */
function exportDocuments({ flags, args, cwd, output }: Call<typeof spec>, job: Job & Pick<Documents, 'format'>): void {
  const { store, topics, filter } = job
  const [topic] = topics
  if (args.topic.length === 1 && args.topic[0] === topic && topic !== undefined) {
    const { pieces, messages } = documentOf(job, topic)
    if (flags.out !== undefined) {
      const path = outFile(store, cwd, flags.out)
      writeOut(path, pieces, filter.now)
      output.one({ path, topic, messages }, shownFile)
      return
    }
    if (output.mode !== 'text') {
      throw new Failure('usage', `expected --out beside --${output.mode}, because a page on stdout is no JSON`)
    }
    for (const piece of chunksOf(pieces)) output.raw(piece)
    return
  }
  if (flags.out === undefined) {
    throw new Failure('usage', `expected one topic for one document, or --out FOLDER; got ${topics.length} topics`, {
      hint: `name a topic, or: jwz export --format ${flags.format} --out report`,
    })
  }
  output.list(writeDocuments(job, topics, outFolder(store, cwd, flags.out)), shownFile)
}
