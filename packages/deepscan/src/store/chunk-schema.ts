import * as z from 'zod'

const place = z.number().int().min(0)

/** A piece of one file. Bytes count from 0, the end is exclusive; lines count from 1, the end is inclusive. */
const spanSchema = z.object({
  path: z.string(),
  start_byte: place,
  end_byte: place,
  start_line: z.number().int().min(1),
  end_line: z.number().int().min(1),
})
export type Span = z.infer<typeof spanSchema>

/** One line of `chunks.jsonl`: what an analyser is given at once. */
export const chunkSchema = z.object({
  v: z.literal(1),
  type: z.literal('chunk'),
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('A hash of spans and content'),
  index: place,
  spans: z.array(spanSchema),
  bytes: place,
  characters: place,
  tokens: place,
  language: z.string().nullable(),
  kind: z.enum(['ast', 'fixed', 'lines', 'text']),
  header: z.string().nullable().describe('Signatures and imports around the chunk: context, not part of it'),
  flags: z.array(z.string()),
})
export type Chunk = z.infer<typeof chunkSchema>
