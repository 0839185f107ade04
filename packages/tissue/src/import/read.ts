// All that an import brings, read and checked before anything is written.
import type { Context } from '@switchyard/cli-kit'
import { bodyBytesMax, readText } from '@switchyard/cli-kit/body'
import { Failure } from '@switchyard/ground/failure'
import { isTooDeep } from '@switchyard/jsonl'
import { type Faults, openFaults } from '../text/faults.ts'
import { parseBeads } from './beads.ts'
import { refuseConflict } from './conflict-marker.ts'
import { parseCsvIssues } from './csv-issues.ts'
import { type ForeignIssues, newestStates } from './foreign-issue.ts'
import { detectFormat, type ImportFormat } from './format.ts'
import { parseGithub } from './github.ts'
import { type Incoming, parseImport } from './incoming.ts'
import { parseMarkdown } from './markdown.ts'

/** The longest import; a text of more characters than this has no place in one string. */
const importBytesMax = 500 * 1024 * 1024

/** What a file brings: records of our own kind, or issues from elsewhere. */
export type Brought =
  | { readonly kind: 'own'; readonly incoming: Incoming }
  | { readonly kind: 'foreign'; readonly incoming: ForeignIssues }

/** Reads a file, or stdin for `-`, all of it. Exits 2 on bad input, 3 when it is not there, 7 on a merge conflict. */
export function readImport(
  file: string,
  from: ImportFormat | undefined,
  call: Pick<Context, 'cwd' | 'input'>,
): Brought {
  const text = readText(file, call, importBytesMax).replace(/^\ufeff/, '')
  const lines = text.split('\n')
  const format = from ?? detectFormat(lines)
  if (format === 'jsonl' || format === 'findings') return { kind: 'own', incoming: parseImport(lines) }
  lines.forEach((line, index) => {
    if (line.startsWith('<<<<<<< ')) refuseConflict(line, index + 1)
  })
  const faults = openFaults(`issues in the format ${format}`)
  const { issues, links } = parsers[format]({ text, lines }, faults)
  for (const { key, body, name } of issues) {
    if (Buffer.byteLength(body) > bodyBytesMax)
      faults.add(`${name === '' ? key : name} has a body of over ${bodyBytesMax} bytes`)
  }
  faults.refuse()
  return { kind: 'foreign', incoming: { issues: newestStates(issues), links } }
}

type Parser = (from: { text: string; lines: readonly string[] }, faults: Faults) => ForeignIssues

const parsers: Readonly<Record<Exclude<ImportFormat, 'jsonl' | 'findings'>, Parser>> = {
  beads: ({ lines }, faults) => parseBeads(lines, faults),
  github: ({ text }, faults) => ({ issues: parseGithub(valuesIn(text), faults), links: [] }),
  markdown: ({ lines }, faults) => parseMarkdown(lines, faults),
  csv: ({ text }, faults) => parseCsvIssues(text, faults),
}

/** The elements of a JSON array, or the one value that is no array. */
function valuesIn(text: string): unknown[] {
  if (isTooDeep(text)) throw new Failure('usage', 'expected issues as JSON, got lists within lists without end')
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Failure('usage', `expected issues as JSON, got none: ${error.message}`, {
      hint: 'nothing was written',
      cause: error,
    })
  }
}
