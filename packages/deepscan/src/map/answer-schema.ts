// What an agent answers about one chunk: a stranger's words, of which only what has this shape is taken.
import { harmlessText } from '@switchyard/cli-kit/harmless-text'
import { z } from 'zod'
import { severities } from '../finding/severity.ts'

const titleMax = 300
const quoteMax = 2_000
const messageMax = 4_000
const pathMax = 4_096
const answerMax = 20_000
const findingsMax = 200
const missingMax = 50

const lineNumber = z.int().min(1).max(100_000_000)

/** Text that no terminal acts on, also where JSON had it as an escape. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .transform((said) => harmlessText(said).trim())
const words = (max: number) => text(max).refine((said) => said !== '', 'expected words, got none')

/** One finding as an agent says it. */
export const answeredFinding = z.object({
  title: words(titleMax),
  severity: z.enum(severities).default('medium'),
  confidence: z.enum(severities).default('medium'),
  category: text(titleMax).optional(),
  path: z.string().min(1).max(pathMax),
  line: lineNumber,
  end_line: lineNumber.optional(),
  quote: words(quoteMax),
  message: text(messageMax).default(''),
  verification_required: z.boolean().default(false),
})
export type AnsweredFinding = z.infer<typeof answeredFinding>

/** The answer around them, whose findings are looked at one by one. */
export const answerShell = z.object({
  chunk: z.string().max(titleMax),
  status: z.enum(['completed', 'partial', 'failed']).default('completed'),
  findings: z.array(z.unknown()).max(findingsMax),
  missing_info: z.array(text(messageMax)).max(missingMax).default([]),
  partial_answer: text(answerMax).nullable().default(null),
})

/** Names that the fields had in the original, by which older prompts and scripts still answer. */
const formerNames: ReadonlyMap<string, string> = new Map([
  ['chunk_id', 'chunk'],
  ['point', 'title'],
  ['evidence', 'quote'],
  ['file', 'path'],
])

/** An object with today's names for its fields; a field that has its name already stays. */
export function withNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  const named = entries.map(([name, field]): [string, unknown] => {
    const today = formerNames.get(name)
    return today === undefined || Object.hasOwn(value, today) ? [name, field] : [today, field]
  })
  return Object.fromEntries(named)
}
