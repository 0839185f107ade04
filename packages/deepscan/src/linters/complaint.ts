import type { Category, Severity } from '../finding/severity.ts'

/** Lines and columns from 1, columns in UTF-16 units, the end one past the last; or bytes of the file. */
export type ComplaintPlace =
  | { line: number; column: number; endLine?: number | undefined; endColumn?: number | undefined }
  | { startByte: number; endByte: number }

/** What a linter says of a place, before it is held against the file. */
export type Complaint = {
  linter: string
  /** As the linter calls it, such as `eslint/no-eval` or `F821`. */
  rule: string
  /** As the linter names the file. */
  path: string
  message: string
  severity: Severity
  confidence: Severity
  category: Category
  hasSafeFix: boolean
  help?: string | undefined
  place: ComplaintPlace
}
