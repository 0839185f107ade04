import { join } from 'node:path'
import { parseRecord, readLinesBackwards } from '@switchyard/jsonl'
import * as z from 'zod'
import { eventSchema, eventTypes } from './event-schema.ts'
import type { OpenScan } from './open-scan.ts'
import { readChunks, readFindings, readManifest, readResults } from './read-records.ts'

const phases = ['initialized', 'scouting', 'chunking', 'mapping', 'reducing', 'completed'] as const

const phaseEvent = z.object({ type: z.literal('phase'), phase: z.enum(phases) })

const count = z.number().int().min(0)

/** How far a scan is; a line of `deepscan status --json`. */
export const statusSchema = z.object({
  v: z.literal(1),
  type: z.literal('status'),
  scan: z.string(),
  name: z.string().nullable(),
  root: z.string(),
  query: z.string().nullable(),
  mode: z.enum(['full', 'lazy', 'targeted']),
  phase: z.enum(phases),
  files: count,
  bytes: count,
  lines: count,
  tokens: count.describe('Estimated'),
  skipped: count.describe('Paths that are left out'),
  chunks: z.object({ total: count, completed: count, partial: count, failed: count, pending: count }),
  progress: z.number().min(0).max(100).describe('Chunks with a result, in percent'),
  findings: count.describe('Different ones'),
  last_event: z.enum(eventTypes).nullable(),
  created: z.string(),
  updated: z.string(),
})
export type Status = z.infer<typeof statusSchema>

/** How far a scan is, from its files. A chunk counts once, by its last result; results of no chunk count for none. */
export function foldStatus(open: OpenScan): Status {
  const { scan } = open
  return {
    ...{ v: 1, type: 'status', scan: scan.id, name: scan.name, root: scan.root, query: scan.query, mode: scan.mode },
    ...countManifest(open),
    ...foldProgress(open),
    findings: new Set(ids(readFindings(open))).size,
    created: scan.created,
  }
}

/** How far the analysis of a scan is: all that needs no look at its files and findings. */
export function foldProgress(open: OpenScan): Pick<Status, 'phase' | 'chunks' | 'progress' | 'last_event' | 'updated'> {
  const chunks = countChunks(open)
  const done = chunks.completed + chunks.partial + chunks.failed
  const { last_event, updated } = lastEvent(open)
  const progress = chunks.total === 0 ? 0 : Math.floor((done / chunks.total) * 1000) / 10
  return { phase: lastPhase(open), chunks, progress, last_event, updated }
}

function countManifest(open: OpenScan) {
  const sum = { files: 0, bytes: 0, lines: 0, tokens: 0, skipped: 0 }
  for (const { skip, bytes, lines, tokens } of readManifest(open)) {
    if (skip !== null) {
      sum.skipped += 1
      continue
    }
    sum.files += 1
    sum.bytes += bytes
    sum.lines += lines
    sum.tokens += tokens
  }
  return sum
}

function countChunks(open: OpenScan): Status['chunks'] {
  const states = new Map<string, 'pending' | 'completed' | 'partial' | 'failed'>()
  for (const { id } of readChunks(open)) states.set(id, 'pending')
  for (const { chunk, status } of readResults(open)) if (states.has(chunk)) states.set(chunk, status)
  const counts = { total: states.size, completed: 0, partial: 0, failed: 0, pending: 0 }
  for (const state of states.values()) counts[state] += 1
  return counts
}

function lastEvent({ scan, folder }: OpenScan): Pick<Status, 'last_event' | 'updated'> {
  for (const line of readLinesBackwards(join(folder, 'events.jsonl'))) {
    const { data } = eventSchema.safeParse(parseRecord(line))
    if (data !== undefined) return { last_event: data.type, updated: data.at }
  }
  return { last_event: null, updated: scan.created }
}

/** Searched from the end: a log of events grows with each chunk, and phases are few. */
function lastPhase({ folder }: OpenScan): Status['phase'] {
  for (const line of readLinesBackwards(join(folder, 'events.jsonl'))) {
    if (!line.text.includes('"phase"')) continue
    const { data } = phaseEvent.safeParse(parseRecord(line))
    if (data !== undefined) return data.phase
  }
  return 'initialized'
}

function* ids(records: Iterable<{ id: string }>): Generator<string> {
  for (const { id } of records) yield id
}
