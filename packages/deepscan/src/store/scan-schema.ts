import * as z from 'zod'

/** `deepscan_`, seconds since 1970, 16 hex digits. */
export const scanIdPattern = /^deepscan_\d+_[0-9a-f]{16}$/

/** A scan as `scan.json` keeps it: made once, never changed. */
export const scanSchema = z.object({
  v: z.literal(1),
  type: z.literal('scan'),
  id: z.string().regex(scanIdPattern),
  name: z.string().nullable(),
  root: z.string().describe('The folder that paths count from, absolute'),
  paths: z.array(z.string()).describe('What was asked for, as it was typed'),
  query: z.string().nullable(),
  agent_type: z.string(),
  mode: z.enum(['full', 'lazy', 'targeted']),
  depth: z.number().int().describe('How deep a lazy scan shows the tree'),
  rev: z.string().nullable().describe('The commit that is scanned; null: the working tree'),
  since: z.string().nullable().describe('Only files changed since this commit'),
  diff_base: z.string().nullable().describe('The manifest marks the lines changed since this commit'),
  size: z.number().int().describe('Most of a chunk, in `unit`s'),
  overlap: z.number().int(),
  unit: z.enum(['characters', 'tokens']),
  adaptive: z.boolean().describe('Whether the size of chunks goes by the kind of content'),
  secrets: z.enum(['redact', 'skip', 'allow']),
  previous: z.string().nullable().describe('The scan that this one goes on from'),
  max_file_bytes: z.number().int(),
  created: z.string().describe('ISO 8601, UTC'),
})
export type Scan = z.infer<typeof scanSchema>
