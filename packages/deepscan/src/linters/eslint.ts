import * as z from 'zod'
import type { Complaint } from './complaint.ts'
import { oxlintRules } from './oxlint-rules.ts'

/** What `eslint -f json` prints. */
export const eslintSchema = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        ruleId: z.string().nullable(),
        severity: z.number(),
        message: z.string(),
        line: z.number().int().min(1).optional(),
        column: z.number().int().min(1).optional(),
        endLine: z.number().int().min(1).nullish(),
        endColumn: z.number().int().min(1).nullish(),
      }),
    ),
  }),
)

/** The complaints in what eslint printed, those of rules. */
export function eslintComplaints(files: z.infer<typeof eslintSchema>): Complaint[] {
  return files.flatMap(({ filePath, messages }) =>
    messages.flatMap(({ ruleId, severity, message, line, column = 1, endLine, endColumn }) => {
      if (ruleId === null || line === undefined) return []
      const rule = ruleId.includes('/') ? ruleId : `eslint/${ruleId}`
      const known = oxlintRules.get(rule.replace('@typescript-eslint/', 'typescript/'))
      const isSecurity = /security/.test(rule)
      return [
        {
          ...{ linter: 'eslint', rule, path: filePath, message, hasSafeFix: false },
          severity: known?.severity ?? (severity >= 2 ? 'medium' : 'low'),
          confidence: known?.confidence ?? 'medium',
          category: known?.category ?? (isSecurity ? 'security' : 'correctness'),
          place: { line, column, endLine: endLine ?? undefined, endColumn: endColumn ?? undefined },
        },
      ]
    }),
  )
}
