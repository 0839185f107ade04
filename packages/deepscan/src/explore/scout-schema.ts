import * as z from 'zod'

const count = z.number().int().min(0)
const sums = { files: count, lines: count, bytes: count, tokens: count.describe('Estimated') }
const named = z.object({ name: z.string(), ...sums })

/** What lies below a path and what it would take to read it: the line of `deepscan scout --json`. */
export const scoutSchema = z.object({
  v: z.literal(1),
  type: z.literal('scout'),
  path: z.string().describe('From the top of the repository, else from the working folder'),
  ...sums,
  languages: z.array(named).describe('By tokens, most first'),
  kinds: z.array(named),
  folders: z.array(named).describe('The folders right below, by tokens; `.` for the files there'),
  left_out: z.record(z.string(), count).describe('Paths that are not counted, by reason'),
  largest: z.array(z.object({ path: z.string(), lines: count, tokens: count })),
  changed: z.array(z.object({ path: z.string(), commits: count })).describe('Most often, in the last 2 000 commits'),
  hot_spots: z
    .array(z.object({ path: z.string(), commits: count, tokens: count }))
    .describe('Sources that are long and change often, by commits times tokens'),
  chunks: count.describe('About so many of 150 000 characters'),
  input_tokens: count.describe('What an agent reads that is asked about each chunk'),
  strategy: z.enum(['whole', 'map', 'narrow']),
  prices: z.array(z.object({ model: z.string(), usd: z.number().min(0) })),
})
export type Scout = z.infer<typeof scoutSchema>
