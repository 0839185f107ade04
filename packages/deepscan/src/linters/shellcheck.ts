import * as z from 'zod'
import type { Complaint } from './complaint.ts'

const count = z.number().int().min(1)
const commentSchema = z.object({
  file: z.string(),
  line: count,
  endLine: count,
  column: count,
  endColumn: count,
  level: z.string(),
  code: z.number().int(),
  message: z.string(),
})

/** What `shellcheck -f json1` prints, or `-f json`. */
export const shellcheckSchema = z.union([
  z.object({ comments: z.array(commentSchema) }),
  z.array(commentSchema).transform((comments) => ({ comments })),
])

const severities = { error: 'high', warning: 'medium' } as const

/** The complaints in what shellcheck printed, but for those about style. */
export function shellcheckComplaints({ comments }: z.infer<typeof shellcheckSchema>): Complaint[] {
  return comments.flatMap(({ file, line, endLine, column, endColumn, level, code, message }) => {
    if (level !== 'error' && level !== 'warning') return []
    return [
      {
        ...{ linter: 'shellcheck', rule: `SC${code}`, path: file, message, hasSafeFix: false },
        ...{ severity: severities[level], confidence: 'medium', category: 'correctness' },
        help: `https://www.shellcheck.net/wiki/SC${code}`,
        place: { line, column, endLine, endColumn },
      },
    ]
  })
}
