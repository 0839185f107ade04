// The formats of `export`, and what each makes of issues.
import { beadsRecords } from './beads.ts'
import { csvLines } from './csv.ts'
import type { ExportedIssue } from './exported.ts'
import { githubRecords } from './github.ts'
import { markdownLines } from './markdown.ts'

/** What `export` writes; `jsonl` are events, the others show issues as they are. */
export const exportFormats = ['jsonl', 'beads', 'github', 'markdown', 'csv', 'findings'] as const

/** A format that shows issues as they are. */
export type ViewFormat = Exclude<(typeof exportFormats)[number], 'jsonl'>
type TextFormat = 'markdown' | 'csv'

/** Whether a format is text that is no JSON. */
export function isText(format: ViewFormat): format is TextFormat {
  return format === 'markdown' || format === 'csv'
}

/** Issues as records of a format that is JSON. Findings are only of the issues that were made of one. */
export function recordsOf(format: Exclude<ViewFormat, TextFormat>, issues: readonly ExportedIssue[]): object[] {
  if (format === 'beads') return beadsRecords(issues)
  if (format === 'github') return githubRecords(issues)
  return issues.flatMap(({ finding }) => (finding === undefined ? [] : [finding]))
}

/** Issues in a format, in pieces that each end a line. GitHub's is one array. */
export function* viewLines(format: ViewFormat, issues: readonly ExportedIssue[]): Generator<string> {
  if (isText(format)) {
    const lines = format === 'csv' ? csvLines(issues) : markdownLines(issues)
    for (const line of lines) yield `${line}\n`
  } else if (format === 'github') {
    yield `${JSON.stringify(recordsOf(format, issues))}\n`
  } else {
    for (const record of recordsOf(format, issues)) yield `${JSON.stringify(record)}\n`
  }
}
