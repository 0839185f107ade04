import * as z from 'zod'
import { contexts } from '../finding/context.ts'
import { skipReasons } from '../walk/skip-reason.ts'

/** One path below what was asked for: a file that is part of the scan, or why it, or a folder, is not. */
export const manifestEntrySchema = z.object({
  path: z.string().describe('From the root of the scan, with slashes; that of a folder ends in one'),
  bytes: z.number().int().min(0),
  lines: z.number().int().min(0).describe('Ends of lines, and a last line without one'),
  sha256: z.string().describe('Of the bytes; empty when the path is left out'),
  mtime_ms: z.number(),
  language: z.string().nullable(),
  kind: z.enum(contexts),
  encoding: z.enum(['utf8', 'latin1', 'utf16le', 'utf16be']),
  mark: z.boolean().describe('Whether the file begins with a byte order mark'),
  tokens: z.number().int().min(0).describe('Estimated'),
  skip: z.enum(skipReasons).nullable(),
  hunks: z
    .array(z.tuple([z.number().int().min(1), z.number().int().min(1)]))
    .optional()
    .describe('First and last line of each change since `diff_base`'),
  callers: z
    .array(z.tuple([z.number().int().min(1), z.number().int().min(1)]))
    .optional()
    .describe('First and last line of each function that calls what has changed since `diff_base`'),
})
export type ManifestEntry = z.infer<typeof manifestEntrySchema>
