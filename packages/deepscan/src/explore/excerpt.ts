import { isUtf8 } from 'node:buffer'
import * as z from 'zod'
import type { Block } from './blocks.ts'

/** Lines of a file, as `deepscan peek --json` prints them. */
export const excerptSchema = z.object({
  v: z.literal(1),
  type: z.literal('excerpt'),
  path: z.string(),
  start_line: z.number().int().min(0).describe('From 1; 0 where the file is empty'),
  end_line: z.number().int().min(0),
  lines: z.number().int().min(0).describe('Of the whole file'),
  text: z.string().describe('With the line ends of the file'),
})
export type Excerpt = z.infer<typeof excerptSchema>

/** Which lines: from the first to the last of them, or so many at the end. */
export type LineRange = { first: number; last: number } | { tail: number }

export type Lines = { start: number; end: number; total: number; bytes: Buffer }

const lineEnd = 0x0a

/** The lines of a file that lie in the range, byte for byte. Memory holds those and one block. */
export function linesIn(blocks: Iterable<Block>, range: LineRange): Lines {
  const kept: Buffer[] = []
  let start = 0
  let line = 1
  for (const { bytes: block } of blocks) {
    for (let from = 0; from < block.length; line += 1) {
      const found = block.indexOf(lineEnd, from)
      const end = found < 0 ? block.length : found + 1
      if ('tail' in range || (line >= range.first && line <= range.last)) {
        if (kept.length === 0) start = line
        kept.push(Buffer.from(block.subarray(from, end)))
      }
      if ('tail' in range && kept.length > range.tail) {
        kept.shift()
        start += 1
      }
      from = end
    }
  }
  return {
    start: kept.length === 0 ? 0 : start,
    end: kept.length === 0 ? 0 : start + kept.length - 1,
    total: line - 1,
    bytes: Buffer.concat(kept),
  }
}

/** The text of an excerpt; one character a byte where it is no UTF-8. */
export function textOfLines({ bytes }: Lines): string {
  return isUtf8(bytes) ? bytes.toString() : bytes.toString('latin1')
}
