import * as z from 'zod'
import type { Complaint } from './complaint.ts'

const cell = z.object({ line: z.number().int().min(0), column: z.number().int().min(0) })

/** What `biome lint --reporter=json` prints. */
export const biomeSchema = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string().nullish(),
      severity: z.string(),
      message: z.string(),
      location: z.object({ path: z.string(), start: cell, end: cell }).nullish(),
    }),
  ),
})

/** The complaints in what biome printed, those of rules. Its places count from 1. */
export function biomeComplaints({ diagnostics }: z.infer<typeof biomeSchema>): Complaint[] {
  return diagnostics.flatMap(({ category, severity, message, location }) => {
    const [, group, name] = /^lint\/(\w+)\/(\w+)$/.exec(category ?? '') ?? []
    if (group === undefined || name === undefined || !location || location.start.line < 1) return []
    const { path, start, end } = location
    return [
      {
        ...{ linter: 'biome', rule: name, path, message, hasSafeFix: false },
        severity: severity === 'error' || severity === 'fatal' ? 'medium' : 'low',
        confidence: 'medium',
        category: group === 'security' ? 'security' : group === 'performance' ? 'performance' : 'correctness',
        place: { line: start.line, column: start.column, endLine: end.line, endColumn: end.column },
      },
    ]
  })
}
