import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { quote } from './tokens.ts'

/** What a caller names a request by. */
export type RequestId = string | number

/** A line of stdin, understood: a command line to run, or the end of one that runs. */
export type Request =
  | { readonly id: RequestId; readonly argv: readonly string[]; readonly stdin: string }
  | { readonly cancel: RequestId }

const shapes = 'a request {"id":1,"argv":["verb","argument"],"stdin":"text"} or {"cancel":1}'

/** Fails as bad input on a line that is no request. */
export function parseRequest(line: Uint8Array): Request {
  const text = Buffer.from(line).toString()
  const record = parseObject(text)
  if (isId(record['cancel'])) return { cancel: record['cancel'] }
  const { id, argv, stdin = '' } = record
  if (!isId(id) || !isWords(argv) || typeof stdin !== 'string') throw expected(text)
  return { id, argv, stdin }
}

/** The id of a line that is no request but names one, so that its caller learns what became of it. */
export function idOf(line: Uint8Array): RequestId | null {
  const { id } = parseObject(Buffer.from(line).toString())
  return isId(id) ? id : null
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text)
  return isPlainObject(value) ? { ...value } : {}
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string' && !word.includes('\0'))
}

function expected(text: string): Failure {
  return new Failure('usage', `expected ${shapes}, got ${quote(text)}`)
}
