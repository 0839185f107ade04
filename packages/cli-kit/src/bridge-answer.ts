import type { RequestId } from './bridge-request.ts'
import type { Input, Output } from './context.ts'
import type { ErrorObject } from './failure-report.ts'
import { batchesOf, flatten } from './stdio.ts'

/**
 * A line of stdout. `item` is an element of a stream, `text` and `base64` are bytes that are no record, `note` is for
 * people; the line with `code` ends the request, with what it came to.
 */
export type BridgeAnswer = { id: RequestId | null } & (
  | { item: unknown }
  | { text: string }
  | { base64: string }
  | { note: string }
  | { code: number; result?: unknown; error?: ErrorObject }
)

/** An output that answers the request `id`; `result` is what it was given as its one document or list. */
export function answerOutput(
  id: RequestId,
  tell: (answer: BridgeAnswer) => void,
): { output: Output; result: () => { result?: unknown } } {
  let found: { result?: unknown } = {}
  const keep = (value: unknown) => {
    found = { result: value }
  }
  const output: Output = {
    mode: 'json',
    isTerminal: false,
    color: false,
    one: keep,
    list: keep,
    each: (item) => tell({ id, item }),
    raw: (bytes) => tell({ id, ...textOrBase64(bytes) }),
    note: (note) => tell({ id, note }),
  }
  return { output, result: () => found }
}

function textOrBase64(bytes: string | Uint8Array): { text: string } | { base64: string } {
  if (typeof bytes === 'string') return { text: bytes }
  const buffer = Buffer.from(bytes)
  const text = buffer.toString()
  return Buffer.from(text).equals(buffer) ? { text } : { base64: buffer.toString('base64') }
}

/** The stdin of a request. */
export function inputOf(text: string): Input {
  const bytes = Buffer.from(text)
  const chunks = bytes.length === 0 ? [] : [bytes]
  return {
    isTerminal: false,
    readAll: () => bytes,
    chunks: () => chunks,
    lines: (bytesMax) => flatten(batchesOf(chunks, bytesMax)),
    lineBatches: (bytesMax) => batchesOf(chunks, bytesMax),
    async *linesAsync(bytesMax) {
      for (const batch of batchesOf(chunks, bytesMax)) yield* batch
    },
  }
}
