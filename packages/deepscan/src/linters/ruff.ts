import * as z from 'zod'
import type { Complaint } from './complaint.ts'
import { ruffRules } from './ruff-rules.ts'

const cell = z.object({ row: z.number().int().min(1), column: z.number().int().min(1) })

/** A diagnostic of ruff, as its JSON and its WebAssembly build give it. */
const diagnosticSchema = z.object({
  code: z.string().nullable(),
  message: z.string(),
  url: z.string().nullish(),
  filename: z.string().default(''),
  location: cell.optional(),
  start_location: cell.optional(),
  end_location: cell,
  fix: z
    .object({ edits: z.array(z.object({ content: z.string().nullable(), location: cell, end_location: cell })) })
    .nullish()
    .catch(null),
})
export const ruffSchema = z.array(diagnosticSchema)
export type RuffDiagnostic = z.infer<typeof diagnosticSchema>

/** The complaints in what ruff printed. Those about a syntax that it cannot read are none. */
export function ruffComplaints(diagnostics: readonly RuffDiagnostic[]): Complaint[] {
  return diagnostics.flatMap(({ code, message, url, filename, location, start_location, end_location }) => {
    const start = location ?? start_location
    if (code === null || start === undefined || !/^[A-Z]+\d+$/.test(code) || message.includes('seems safe')) return []
    return [
      {
        ...{ linter: 'ruff', rule: code, path: filename, message },
        ...(ruffRules.get(code) ?? {
          severity: 'low',
          category: 'correctness',
          confidence: 'medium',
          hasSafeFix: false,
        }),
        help: url ?? undefined,
        place: { line: start.row, column: start.column, endLine: end_location.row, endColumn: end_location.column },
      },
    ]
  })
}

/** The settings that ruff runs with: ours alone. */
export function ruffSettings(): object {
  return { 'target-version': 'py313', lint: { select: [...ruffRules.keys()], 'allowed-confusables': [] } }
}
