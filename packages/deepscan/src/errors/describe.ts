import { exitCodes } from '@switchyard/ground/failure'
import * as z from 'zod'
import { type ErrorCode, errorTable } from './codes.ts'

const categories = ['validation', 'parsing', 'chunking', 'resource', 'config', 'system'] as const

/** A code and what it means: a line of `deepscan errors --jsonl`. */
export const errorSchema = z.object({
  v: z.literal(1),
  type: z.literal('error-code'),
  code: z.string(),
  title: z.string(),
  category: z.enum(categories).describe('By the hundred of the code'),
  exit: z.number().int(),
  remedy: z.string(),
})
export type ErrorCodeRecord = z.infer<typeof errorSchema>

/** All codes, in their order. */
export function describeErrors(): ErrorCodeRecord[] {
  return (Object.keys(errorTable) as ErrorCode[]).map((code) => {
    const { title, kind, remedy } = errorTable[code]
    const category = categories[Number(code[3])] ?? 'system'
    return { v: 1, type: 'error-code', code, title, category, exit: exitCodes[kind], remedy }
  })
}

/** The page of the codes, as `docs/deepscan-errors.md` has it. */
export function renderErrorPage(): string {
  const head = `# deepscan: error codes

Failures that people and programs may want to tell apart have a code. It stands at the end of the error line,
in brackets, and with \`--json\` as \`ds\` in the error object. Exit codes are those of
[all tools](agent-contract.md). \`deepscan errors CODE\` prints a row of this page.

`
  const parts = categories.map((category) => {
    const rows = describeErrors().filter((record) => record.category === category)
    const lines = rows.map(
      ({ code, title, exit, remedy }) => `| ${code} | ${exit} | ${title} | ${escapeCell(remedy)} |`,
    )
    return [`## ${category}`, '', '| code | exit | when | what to do |', '|---|---|---|---|', ...lines, ''].join('\n')
  })
  return head + parts.join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
