import * as z from 'zod'

const place = z.number().int().min(1)

/** A line that `deepscan grep` found. */
export const matchSchema = z.object({
  v: z.literal(1),
  type: z.literal('match'),
  path: z.string().describe('From the top of the repository, else from the working folder'),
  line: place,
  column: place.describe('Where the first match begins, in UTF-16 units'),
  text: z.string().describe('The line, without its line end'),
  spans: z
    .array(z.tuple([z.number().int().min(0), z.number().int().min(0)]))
    .describe('Where matches begin and end in `text`, from 0, in UTF-16 units; the first thousand'),
  before: z.array(z.string()).optional().describe('The lines before it, with `-C`'),
  after: z.array(z.string()).optional(),
})
export type Match = z.infer<typeof matchSchema>

/** How many lines of a file match, as `deepscan grep --count` says. */
export const matchCountSchema = z.object({
  v: z.literal(1),
  type: z.literal('match_count'),
  path: z.string(),
  lines: place,
})
export type MatchCount = z.infer<typeof matchCountSchema>
