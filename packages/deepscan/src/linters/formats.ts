import { parseJson } from '@switchyard/ground/parse-json'
import type * as z from 'zod'
import { biomeComplaints, biomeSchema } from './biome.ts'
import type { Complaint } from './complaint.ts'
import { eslintComplaints, eslintSchema } from './eslint.ts'
import { oxlintComplaints, oxlintSchema } from './oxlint.ts'
import { ruffComplaints, ruffSchema } from './ruff.ts'
import { sarifComplaints, sarifSchema } from './sarif.ts'
import { shellcheckComplaints, shellcheckSchema } from './shellcheck.ts'

/** What linters print that we can read. */
export const lintFormats = ['sarif', 'oxlint', 'eslint', 'biome', 'ruff', 'shellcheck'] as const
export type LintFormat = (typeof lintFormats)[number]

/** What was read, or what is wrong with it. */
export type ReadComplaints = { complaints: readonly Complaint[] } | { fault: string }

const readers: Readonly<Record<LintFormat, (value: unknown) => ReadComplaints>> = {
  sarif: readWith(sarifSchema, sarifComplaints),
  oxlint: readWith(oxlintSchema, oxlintComplaints),
  eslint: readWith(eslintSchema, eslintComplaints),
  biome: readWith(biomeSchema, biomeComplaints),
  ruff: readWith(ruffSchema, ruffComplaints),
  shellcheck: readWith(shellcheckSchema, shellcheckComplaints),
}

function readWith<T>(schema: z.ZodType<T>, complaintsOf: (value: T) => readonly Complaint[]) {
  return (value: unknown): ReadComplaints => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return { complaints: complaintsOf(parsed.data) }
    const [issue] = parsed.error.issues
    return { fault: [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ') }
  }
}

/** The complaints in what a linter printed, or what is wrong with it. */
export function readComplaints(format: LintFormat, text: string): ReadComplaints {
  const value = parseJson(text)
  return value === undefined ? { fault: 'it is not JSON' } : readers[format](value)
}
