import { createHash } from 'node:crypto'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { fail } from '../errors/fail.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import { type Answer, readAnswer } from './read-answer.ts'

/** An answer that somebody else has got, for a chunk of the scan. */
export type Imported = {
  readonly chunk: Chunk
  readonly answer: Answer
  readonly agent: string
  /** Names what was said: the same answer once more changes nothing. */
  readonly key: string
}

const errorsMax = 20
const agentMax = 200

/**
 * Reads answers, one JSON object a line, or all of them in one JSON array. Nothing of it counts unless all of it does:
 * fails as DS-102 at what is no JSON, as DS-204 at what is no answer, with the number of each line that is wrong.
 */
export function readImport(text: string, source: string, chunks: ReadonlyMap<string, Chunk>): Imported[] {
  const read = answersIn(text, source).map(({ value, line }) => ({ line, ...readOne(value, chunks) }))
  const faults = read.flatMap(({ line, fault }) => (fault === undefined ? [] : [{ line, fault }]))
  const [first, ...others] = faults
  if (first === undefined) return read.flatMap(({ imported }) => imported ?? [])
  const also = others.slice(0, errorsMax).map(({ line, fault }) => `line ${line}: ${fault}`)
  const reason = [first.fault, ...also].join('; ')
  throw fail('DS-204', { path: source, line: first.line, reason })
}

function answersIn(text: string, source: string): { value: unknown; line: number }[] {
  const whole = parseJson(text)
  if (Array.isArray(whole)) return whole.map((value: unknown) => ({ value, line: 1 }))
  if (isPlainObject(whole)) return [{ value: whole, line: 1 }]
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parseJson(line)
    if (value === undefined)
      throw fail('DS-102', { path: `${source}:${index + 1}`, reason: 'expected one object a line' })
    return [{ value, line: index + 1 }]
  })
}

function readOne(value: unknown, chunks: ReadonlyMap<string, Chunk>): { imported?: Imported; fault?: string } {
  if (!isPlainObject(value)) return { fault: 'expected an object' }
  const id = value['chunk'] ?? value['chunk_id']
  const chunk = typeof id === 'string' ? chunks.get(id) : undefined
  if (chunk === undefined) return { fault: `chunk: expected one of this scan, got ${JSON.stringify(id)?.slice(0, 60)}` }
  const text = JSON.stringify(value)
  const read = readAnswer(text, { id: chunk.id, paths: new Set(chunk.spans.map(({ path }) => path)) })
  if (read.kind !== 'answer') return { fault: read.kind === 'invalid' ? read.fault : read.why }
  const named = value['agent']
  const agent = typeof named === 'string' && named.length <= agentMax && named !== '' ? named : 'import'
  const key = createHash('sha256')
    .update(JSON.stringify([agent, read.answer]))
    .digest('hex')
    .slice(0, 40)
  return { imported: { chunk, answer: read.answer, agent, key } }
}
