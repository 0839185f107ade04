// Which format a text is in, found out from what it says.
import { Failure } from '@switchyard/ground/failure'
import { isTooDeep, parseRecord } from '@switchyard/jsonl'
import { isEvent } from '../schema/event.check.ts'
import { isBead } from './beads.ts'
import { isCsvHeader } from './csv-issues.ts'
import { isGithubIssue } from './github.ts'
import { isTask } from './markdown.ts'

/** What `import` reads; `jsonl` are events and findings, one a line. */
export const importFormats = ['jsonl', 'findings', 'beads', 'github', 'markdown', 'csv'] as const
export type ImportFormat = (typeof importFormats)[number]

const hint = `say which with --from: ${importFormats.join(', ')}`

/** The format of these lines; an empty text is `jsonl` without a line. Fails as bad input when it is not clear. */
export function detectFormat(lines: readonly string[]): ImportFormat {
  const first = lines.find((line) => line.trim() !== '')
  if (first === undefined) return 'jsonl'
  if (first.trimStart().startsWith('[') && !isTask(first)) return 'github'
  for (const line of lines) {
    const format = line.trimStart().startsWith('{') ? formatOfRecord(line) : undefined
    if (format !== undefined) return format
  }
  if (first.trimStart().startsWith('{')) return 'jsonl'
  if (isCsvHeader(first)) return 'csv'
  if (lines.some(isTask)) return 'markdown'
  throw new Failure('usage', 'expected issues in a format that is clear, got something else', { hint })
}

function formatOfRecord(line: string): ImportFormat | undefined {
  const record = isTooDeep(line) ? undefined : parseRecord({ text: line })
  if (record === undefined) return undefined
  if (isOfOriginal(record)) {
    throw new Failure('usage', 'expected issues to import, got the log of an original store', {
      hint: 'take it over with tissue migrate',
    })
  }
  if (record['type'] === 'finding' || isEvent(record)) return 'jsonl'
  if (isBead(record)) return 'beads'
  return isGithubIssue(record) ? 'github' : undefined
}

function isOfOriginal({ type, rev, id, src_id }: Readonly<Record<string, unknown>>): boolean {
  return (type === 'issue' || type === 'dep') && typeof rev === 'string' && typeof (id ?? src_id) === 'string'
}
