import * as z from 'zod'
import type { OpenScan } from './open-scan.ts'
import { readChunks, readManifest, readResults } from './read-records.ts'
import type { Result } from './result-schema.ts'

const bytes = z.number().int().min(0)
const sums = {
  bytes: bytes.describe('Of files that are taken in'),
  chunked: bytes.describe('In a chunk; overlaps count once'),
  analysed: bytes.describe('In a chunk with a result'),
  failed: bytes.describe('In chunks that failed, and in no other with a result'),
}

/** How much of one file was looked at: a line of `deepscan coverage --jsonl`. */
export const coverageSchema = z.object({
  v: z.literal(1),
  type: z.literal('coverage'),
  path: z.string(),
  ...sums,
  left_out: bytes.describe('All of a file that is left out'),
  reason: z.string().nullable().describe('Why it is left out'),
})
export type FileCoverage = z.infer<typeof coverageSchema>

/** Sums of a scan: they come to the bytes of its manifest. */
export const totalCoverageSchema = z.object({
  v: z.literal(1),
  type: z.literal('total'),
  scan: z.string(),
  files: bytes,
  ...sums,
  left_out: bytes,
  skipped: z.record(z.string(), z.object({ paths: bytes, bytes })).describe('By reason'),
  paths: z.array(coverageSchema).optional().describe('With --files --json'),
})
export type TotalCoverage = z.infer<typeof totalCoverageSchema>

type Piece = { start: number; end: number; state: Result['status'] | undefined }

/** The coverage of each path of a scan, in their order, and the sums in `total`, which are complete at the end. */
export function* foldCoverage(open: OpenScan, total: TotalCoverage): Generator<FileCoverage> {
  const pieces = piecesByPath(open)
  for (const { path, bytes: size, skip } of readManifest(open)) {
    const file: FileCoverage = { v: 1, type: 'coverage', path, ...none, reason: skip }
    if (skip === null) Object.assign(file, { bytes: size }, measurePieces(pieces.get(path) ?? []))
    else file.left_out = size
    addTo(total, file)
    yield file
  }
}

const none = { bytes: 0, chunked: 0, analysed: 0, failed: 0, left_out: 0 }

export function startCoverage({ scan }: OpenScan): TotalCoverage {
  return { v: 1, type: 'total', scan: scan.id, files: 0, ...none, skipped: {} }
}

function addTo(total: TotalCoverage, file: FileCoverage): void {
  for (const key of ['bytes', 'chunked', 'analysed', 'failed', 'left_out'] as const) total[key] += file[key]
  if (file.reason === null) total.files += 1
  else {
    const { paths = 0, bytes: known = 0 } = total.skipped[file.reason] ?? {}
    total.skipped[file.reason] = { paths: paths + 1, bytes: known + file.left_out }
  }
}

function piecesByPath(open: OpenScan): ReadonlyMap<string, Piece[]> {
  const states = new Map<string, Result['status']>()
  for (const { chunk, status } of readResults(open)) states.set(chunk, status)
  const pieces = new Map<string, Piece[]>()
  for (const { id, spans } of readChunks(open)) {
    for (const { path, start_byte, end_byte } of spans) {
      const piece = { start: start_byte, end: end_byte, state: states.get(id) }
      const known = pieces.get(path)
      if (known === undefined) pieces.set(path, [piece])
      else known.push(piece)
    }
  }
  return pieces
}

function measurePieces(pieces: readonly Piece[]): Pick<FileCoverage, 'chunked' | 'analysed' | 'failed'> {
  const analysed = unionOf(pieces.filter(({ state }) => state === 'completed' || state === 'partial'))
  const looked = unionOf(pieces.filter(({ state }) => state !== undefined))
  return { chunked: unionOf(pieces), analysed, failed: looked - analysed }
}

/** The bytes that lie in at least one piece. */
function unionOf(pieces: readonly Piece[]): number {
  let [sum, reached] = [0, 0]
  for (const { start, end } of [...pieces].sort((a, b) => a.start - b.start)) {
    if (end <= reached) continue
    sum += end - Math.max(start, reached)
    reached = end
  }
  return sum
}
