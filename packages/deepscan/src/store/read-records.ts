import { basename, join } from 'node:path'
import { parseRecord, readLines } from '@switchyard/jsonl'
import type { ZodType } from 'zod'
import { fail } from '../errors/fail.ts'
import { type Finding, findingSchema } from '../finding/finding.ts'
import { type Chunk, chunkSchema } from './chunk-schema.ts'
import { eventSchema, type ScanEvent } from './event-schema.ts'
import { type ManifestEntry, manifestEntrySchema } from './manifest-schema.ts'
import type { OpenScan } from './open-scan.ts'
import { type Result, resultSchema } from './result-schema.ts'

/** The paths of a scan, sorted. Fails as DS-502 when a line is damaged: nobody but init writes there. */
export function readManifest(scan: OpenScan): Generator<ManifestEntry> {
  return readAll(scan, 'manifest.jsonl', manifestEntrySchema, 'DS-502')
}

/** The chunks of a scan, in their order; none before `deepscan chunk`. */
export function readChunks(scan: OpenScan): Generator<Chunk> {
  return readAll(scan, 'chunks.jsonl', chunkSchema, 'DS-502')
}

/** What happened in a scan, oldest first. Lines that a kill cut off are passed by. */
export function readEvents(scan: OpenScan): Generator<ScanEvent> {
  return readAll(scan, 'events.jsonl', eventSchema, 'DS-502')
}

/**
 * The results of a scan, oldest first; the last one of a chunk counts. Lines that a kill cut off are passed by; fails
 * as DS-105 at a line that is whole and no result.
 */
export function readResults(scan: OpenScan): Generator<Result> {
  return readAll(scan, 'results.jsonl', resultSchema, 'DS-105')
}

/**
 * The findings of a scan, oldest first. Lines that a kill cut off are passed by, and so are findings whose result was
 * never kept, or is not the last one that this agent gave for its chunk.
 */
export function* readFindings(scan: OpenScan): Generator<Finding> {
  const last = new Map<string, string | undefined>()
  for (const { id, chunk, agent } of readResults(scan)) last.set(JSON.stringify([chunk, agent]), id)
  const counting = new Set(last.values())
  for (const finding of readAll(scan, 'findings.jsonl', findingSchema, 'DS-502')) {
    if (finding.result === undefined || counting.has(finding.result)) yield finding
  }
}

type Damage = 'DS-105' | 'DS-502'

const written: ReadonlySet<string> = new Set(['manifest.jsonl', 'chunks.jsonl'])

/** A file that is written whole has no torn lines; of a log, a line that is no JSON was cut off by a kill. */
function* readAll<T>({ folder }: OpenScan, name: string, schema: ZodType<T>, damage: Damage): Generator<T> {
  const path = join(folder, name)
  let number = 0
  for (const line of readLines(path)) {
    number += 1
    const record = parseRecord(line)
    if (record === undefined && !written.has(name)) continue
    const parsed = schema.safeParse(record)
    if (!parsed.success) throw damaged(damage, path, number, parsed.error.issues[0])
    yield parsed.data
  }
}

function damaged(
  code: Damage,
  path: string,
  line: number,
  issue: { path: readonly PropertyKey[]; message: string } | undefined,
) {
  const field = issue?.path.join('.') ?? ''
  const reason = `${field === '' ? '' : `${field}: `}${issue?.message ?? 'it is no record'}`
  return code === 'DS-105'
    ? fail(code, { path, line, reason })
    : fail(code, { path, reason: `line ${line} of ${basename(path)}: ${reason}` })
}
