import * as z from 'zod'
import { contexts } from './context.ts'
import { categories, severities } from './severity.ts'

const position = z.number().int().min(1)
const share = z.number().min(0).max(1)

/** One of the places of a finding. */
const occurrenceSchema = z.object({ id: z.string().optional(), path: z.string(), line: position, column: position })

/** What is known of the evidence of a finding; `refuted` is what a second reader said. */
export const verifications = ['verified', 'moved', 'unverified', 'ghost', 'refuted'] as const
export type Verification = (typeof verifications)[number]

/** How sure a reduced finding is, from 0 to 1, and what that comes from. */
const scoreSchema = z.object({
  base: share.describe('From the confidence of the surest source'),
  verification: share.describe('From the verification of its quote'),
  support: z.number().min(1).describe('From the number of independent sources'),
  relevance: share.describe('How near it is to the query, 1 for the nearest; 0 without a query'),
  total: share.describe('base × verification × support, at most 1'),
})

/**
 * One place in the source that a rule holds for a defect: a line of `deepscan run --jsonl`. The format only ever
 * grows.
 */
export const findingSchema = z.object({
  v: z.literal(1),
  type: z.literal('finding'),
  id: z
    .string()
    .regex(/^[0-9a-f]{20}$/)
    .describe('Fingerprint of rule, path, enclosing symbol, quote and number among equals; it survives moved lines'),
  rule: z.string(),
  title: z.string(),
  severity: z.enum(severities),
  confidence: z.enum(severities),
  category: z.enum(categories),
  path: z.string().describe('From the top of the repository, or from the working folder outside of one; with slashes'),
  line: position,
  column: position.describe('In UTF-16 units, from 1; a byte order mark does not count'),
  end_line: position,
  end_column: position.describe('One past the last unit of the quote'),
  quote: z.string().describe('The source text from line:column to end_line:end_column'),
  message: z.string(),
  fixable: z.boolean().describe('Whether the rule has a rewrite for this match that may be applied unseen'),
  offer: z.boolean().optional().describe('Whether the rule has a rewrite that somebody has to look at first'),
  language: z.string().describe('The grammar that the file was read with'),
  context: z.enum(contexts).optional().describe('What kind of file it stands in'),
  analyser: z
    .string()
    .optional()
    .describe('`rules`, `agent`, or the linter that found it; `rules` where it is not said'),
  agent: z.string().optional().describe('The command that found it, as it was given'),
  chunk: z.string().optional().describe('The chunk that was read'),
  result: z.string().optional().describe('The result that it is a part of; without that it does not count'),
  help: z.string().optional().describe('The page about the rule'),
  verification: z.enum(verifications).optional(),
  refutation: z
    .object({
      word: z.enum(['stands', 'refuted', 'unclear']),
      reason: z.string(),
      agent: z.string(),
    })
    .optional()
    .describe('What a second reader said who was to refute it'),
  verification_required: z.boolean().optional().describe('Whether the source itself asked for a second look'),
  sources: z.array(z.string()).optional().describe('Who found it: analyser and rule, or agent and chunk'),
  support: z.number().int().min(1).optional().describe('Number of independent sources'),
  occurrences: z.array(occurrenceSchema).optional().describe('Every place of it, the first is its own'),
  score: scoreSchema.optional(),
  contradicts: z.array(z.string()).optional().describe('Ids of findings that say the opposite of the same place'),
})
export type Occurrence = z.infer<typeof occurrenceSchema>
export type Finding = z.infer<typeof findingSchema>

/** What `deepscan fix` needs of a finding; the rest may be missing or changed by the tools in between. */
export const wantedSchema = findingSchema.pick({ id: true, rule: true, path: true, line: true, quote: true })
export type Wanted = z.infer<typeof wantedSchema>

/** What `deepscan fix` did, or with --dry-run would do, to one finding. */
export const fixSchema = z.object({
  v: z.literal(1),
  type: z.literal('fix'),
  applied: z.boolean(),
  id: z.string(),
  rule: z.string(),
  path: z.string(),
  line: position,
  before: z.string().describe('The lines that change, as they were'),
  after: z.string().describe('The lines that change, as they are now'),
})
export type Fix = z.infer<typeof fixSchema>
