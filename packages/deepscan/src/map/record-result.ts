import { ulid } from '@switchyard/ground/ulid'
import type { Finding } from '../finding/finding.ts'
import { appendEvents, appendFindings, appendResult, type EventDraft } from '../store/append-records.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import type { Result } from '../store/result-schema.ts'
import type { ChunkContent } from './chunk-content.ts'
import type { MapRun } from './map-run.ts'
import type { ChunkError } from './next-step.ts'
import type { Answer } from './read-answer.ts'
import { findKept, type Kept } from './result-cache.ts'
import { findingsOf } from './settle-answer.ts'

const titleMax = 100

/** Where a result is kept, and by which type of agent its findings are named. */
export type Place = Pick<MapRun, 'open' | 'run' | 'files'> & { readonly type: string }

/** What came of a chunk. */
export type Outcome = Pick<Result, 'status' | 'agent' | 'model' | 'attempt' | 'key' | 'usage'> & {
  readonly id: string
  readonly answer: Answer | undefined
  readonly error: ChunkError | null
}

/**
 * Keeps the result of a chunk. Its findings come first and count only once the result is there, so that a kill between
 * the two leaves a chunk without a result, which is asked about again, and no finding twice.
 */
export function recordResult(place: Place, chunk: Chunk, content: ChunkContent, outcome: Outcome): Kept {
  const { answer, id, error, ...fields } = outcome
  const author = { agent: outcome.agent, type: place.type, chunk: chunk.id, result: id }
  const findings = answer === undefined ? [] : findingsOf(answer.findings, content, author, place.files)
  const result: Result = {
    ...{ v: 1, type: 'result', id, chunk: chunk.id, ...fields, findings: findings.length, error },
    ...{ missing_info: [...(answer?.missing ?? [])], partial_answer: answer?.partial ?? null },
    at: new Date(place.run.now()).toISOString(),
  }
  store(place, result, findings)
  return { v: 1, result, findings }
}

/** Takes the answer that another scan, or this one, has had for equal code, question and agent. */
export function reuseResult(place: Place, chunk: Chunk, key: string): Result | undefined {
  const kept = findKept(place.open.home, key)
  if (kept === undefined) return undefined
  const id = ulid(place.run.now())
  const at = new Date(place.run.now()).toISOString()
  const result = { ...kept.result, id, chunk: chunk.id, at, reused: true }
  store(
    place,
    result,
    kept.findings.map((finding) => ({ ...finding, chunk: chunk.id, result: id })),
  )
  return result
}

function store({ open, run }: Place, result: Result, findings: readonly Finding[]): void {
  const { chunk, status } = result
  const told = findings.map(({ id, title, confidence, path, line }): EventDraft => {
    return { type: 'finding', chunk, finding: id, title: title.slice(0, titleMax), confidence, path, line }
  })
  if (findings.length > 0) appendFindings(open, findings)
  appendResult(open, result)
  const done: EventDraft = { type: 'chunk_complete', chunk, status, findings: findings.length }
  appendEvents(open, run, [...told, { ...done, reused: result.reused ?? false, error: result.error?.code ?? null }])
}
