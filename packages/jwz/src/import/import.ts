import { Failure } from '@switchyard/ground/failure'
import { isConflictMarker } from '@switchyard/jsonl'
import { isAck, readBlob, type Store, writeBlob } from '@switchyard/topic'
import { compareMessages, importMessages } from '@switchyard/topic/import'
import type { ExportRecord } from '../exported/records.ts'
import { parseIncoming } from './record.ts'
import type { Extent, ImportSource, SourceLine } from './source.ts'

/** Faults that a failure names. */
const faultsShownMax = 5

/** Where the lines of each topic and the files lie, and which attached files are not among them. */
export type Survey = {
  topics: ReadonlyMap<string, Extent[]>
  files: readonly Extent[]
  wanted: ReadonlyMap<string, number>
}

/**
 * What an import did, or would do: `messages`, `acks` and `files` that are new here, records that were `present`, those
 * that were here with other content, which stayed (`differing`), and attached files that are neither here nor there
 * (`missing_files`).
 */
export type ImportReport = {
  v: 1
  dry_run: boolean
  topics: number
  messages: number
  acks: number
  files: number
  present: number
  differing: string[]
  missing_files: number
}

/**
 * Looks at every line before anything is written. Fails as bad input when one is no line of an export, and as corrupt
 * on a conflict marker.
 */
export function surveyImport(source: ImportSource): Survey {
  const topics = new Map<string, Extent[]>()
  const files: Extent[] = []
  const had = new Set<string>()
  const wanted = new Map<string, number>()
  const faults: string[] = []
  for (const line of source.lines()) {
    const incoming = readLine(line)
    if (incoming.kind === 'fault') faults.push(`line ${line.number} ${incoming.reason}`)
    if (incoming.kind === 'blob') {
      files.push({ start: line.start, end: line.end })
      had.add(incoming.sha256)
    }
    if (incoming.kind !== 'record') continue
    const { record } = incoming
    topics.set(record.topic, extended(topics.get(record.topic) ?? [], line))
    if (!isAck(record)) for (const { sha256, bytes } of record.attachments ?? []) wanted.set(sha256, bytes)
  }
  refuse(faults)
  for (const sha256 of had) wanted.delete(sha256)
  return { topics, files, wanted }
}

function readLine({ bytes, number }: SourceLine) {
  if (bytes.length < 100 && isConflictMarker(bytes.toString())) {
    throw new Failure('corrupt', `line ${number} is a conflict marker of version control; nothing was imported`, {
      hint: 'keep the lines of both sides and remove the markers; merge=union in .gitattributes does so by itself',
    })
  }
  return parseIncoming(bytes, number === 1)
}

/** Lines that follow each other are one extent, so that a whole export has one for each topic. */
function extended(extents: Extent[], { start, end }: Extent): Extent[] {
  const last = extents.at(-1)
  if (last?.end === start) last.end = end
  else extents.push({ start, end })
  return extents
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return
  const more = faults.length > faultsShownMax ? `; ${faults.length - faultsShownMax} more` : ''
  throw new Failure(
    'usage',
    `expected the lines of an export, got others: ${faults.slice(0, faultsShownMax).join('; ')}${more}`,
    { hint: 'nothing was imported; jwz export writes such lines' },
  )
}

function* recordsIn(
  source: ImportSource,
  extents: readonly Extent[],
  onAck: (id: string) => void,
): Generator<ExportRecord> {
  for (const extent of extents) {
    for (const { bytes, start } of source.lines(extent)) {
      const incoming = parseIncoming(bytes, start === 0)
      if (incoming.kind !== 'record') continue
      if (isAck(incoming.record)) onAck(incoming.record.id)
      yield incoming.record
    }
  }
}

async function importFiles(
  source: ImportSource,
  { files }: Survey,
  store: Store,
  now: number,
  isDry: boolean,
): Promise<number> {
  const taken = new Set<string>()
  for (const extent of files) {
    for (const { bytes, start } of source.lines(extent)) {
      const incoming = parseIncoming(bytes, start === 0)
      if (incoming.kind !== 'blob' || taken.has(incoming.sha256)) continue
      const isHere = readBlob(store, { sha256: incoming.sha256, bytes: incoming.bytes.length }) !== undefined
      if (!isHere) taken.add(incoming.sha256)
      // Also one that is here, so that it is young: `compact` must not take it before the message is written.
      if (!isDry) await writeBlob(store, incoming.bytes, now)
    }
  }
  return taken.size
}

/**
 * Brings what was surveyed into the store: files first, then topic by topic, each record once. Whatever stops it
 * half-way, the same import again does the rest. `onAdded` is told the ids of what is new, topic by topic; `now` is
 * milliseconds since 1970.
 */
export async function runImport(
  { source, survey, store, isDry }: { source: ImportSource; survey: Survey; store: Store; isDry: boolean },
  now: number,
  onAdded: (ids: readonly string[]) => void,
): Promise<ImportReport> {
  const files = await importFiles(source, survey, store, now, isDry)
  const report: ImportReport = {
    v: 1,
    dry_run: isDry,
    topics: 0,
    messages: 0,
    acks: 0,
    files,
    present: 0,
    differing: [],
    missing_files: [...survey.wanted].filter(([sha256, bytes]) => !readBlob(store, { sha256, bytes })).length,
  }
  for (const [topic, extents] of survey.topics) {
    const acks = new Set<string>()
    const records = recordsIn(source, extents, (id) => acks.add(id))
    const imported = isDry ? compareMessages(store, topic, records) : await importMessages(store, topic, records, now)
    const added = imported.added.filter((id) => acks.has(id)).length
    report.topics += imported.added.length > 0 ? 1 : 0
    report.acks += added
    report.messages += imported.added.length - added
    report.present += imported.present.length
    report.differing.push(...imported.differing)
    onAdded(imported.added)
  }
  return report
}
