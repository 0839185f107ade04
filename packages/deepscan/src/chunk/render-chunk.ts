import type { Chunk } from '../store/chunk-schema.ts'

/** `3  src/a.ts:10-200  4 files  12 000 tokens  over-long line`. */
export function renderChunk({ index, spans, tokens, flags }: Chunk): string {
  const [first] = spans
  const place = first === undefined ? 'nothing' : `${first.path}:${first.start_line}-${first.end_line}`
  const others = spans.length > 1 ? ` and ${counted(spans.length - 1, 'other')}` : ''
  const flagged = flags.length > 0 ? `  (${flags.join(', ')})` : ''
  return `${index}  ${place}${others}  ${counted(tokens, 'token')}${flagged}`
}

/** `1 chunk`, `12 000 tokens`. */
export function counted(count: number, noun: string): string {
  const digits = String(count).replace(/\B(?=(?:\d{3})+$)/g, ' ')
  return `${digits} ${noun}${count === 1 ? '' : 's'}`
}
