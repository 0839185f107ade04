import type { Finding } from '../finding/finding.ts'
import { numberIdentities } from '../finding/fingerprint.ts'
import { compareText } from '../text/compare.ts'
import { indexLines } from '../text/source-text.ts'
import type { Complaint, ComplaintPlace } from './complaint.ts'
import { silencedLines } from './silence.ts'

/** A file that linters complain about, as it was read; `bytesBefore` its text stands a mark of so many bytes. */
export type LintedFile = {
  path: string
  text: string
  language: string
  encoding: 'utf8' | 'latin1'
  bytesBefore: number
}

/** A longer quote is cut at the end of its first line. */
const quoteUnitsMax = 500
const titleUnitsMax = 120

/**
 * The findings that complaints about one file are, in order: each quotes what stands at its place. A place that the
 * file does not have is left out, and so is one that a `deepscan-ignore` comment covers.
 */
export function describeComplaints(file: LintedFile, complaints: readonly Complaint[]): Finding[] {
  const lines = file.text.split('\n')
  const isSilenced = silencedLines(lines)
  const identify = numberIdentities()
  const placed = complaints.flatMap((complaint) => {
    const place = placeIn(file, lines, complaint.place)
    const rule = ruleId(complaint)
    return place === undefined || isSilenced(place.line, rule) ? [] : [{ complaint, rule, place }]
  })
  placed.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column || compareText(a.rule, b.rule))
  return placed.map(({ complaint, rule, place }) => {
    const { severity, confidence, category, linter, help } = complaint
    const title = titleOf(complaint.message)
    return {
      ...{
        v: 1,
        type: 'finding',
        id: identify({ rule, path: file.path, symbol: '', quote: place.quote }),
        rule,
        title,
      },
      ...{ severity, confidence, category, path: file.path, ...place },
      ...{ message: complaint.message.trim() || title, fixable: complaint.hasSafeFix, language: file.language },
      ...{ analyser: linter, ...(help === undefined ? {} : { help }) },
    }
  })
}

/** The linter and its name for the rule. Names of oxlint and of eslint itself need no plugin before them. */
function ruleId({ linter, rule }: Complaint): string {
  return `${linter}/${linter === 'oxlint' ? rule.slice(rule.indexOf('/') + 1) : rule.replace(/^eslint\//, '')}`
}

type Place = Pick<Finding, 'line' | 'column' | 'end_line' | 'end_column' | 'quote'>

function placeIn(file: LintedFile, lines: readonly string[], place: ComplaintPlace): Place | undefined {
  const { line, column, endLine = line, endColumn = Number.NaN } = 'line' in place ? place : placeOfBytes(file, place)
  const first = lines[line - 1]
  if (first === undefined || column < 1 || column > first.length + 1) return undefined
  const last = lines[endLine - 1]
  const isWhole = last !== undefined && endColumn >= 1 && endColumn <= last.length + 1
  if (!isWhole || endLine < line || (endLine === line && endColumn <= column)) return restOfLine(first, line, column)
  const quoted = lines.slice(line - 1, endLine)
  quoted[quoted.length - 1] = last.slice(0, endColumn - 1)
  quoted[0] = (quoted[0] ?? '').slice(column - 1)
  const quote = quoted.join('\n')
  if (quote.length > quoteUnitsMax || quote.trim() === '') return restOfLine(first, line, column)
  return { line, column, end_line: endLine, end_column: endColumn, quote }
}

/** What stands from a column to the end of the line, or the whole line where there is nothing more. */
function restOfLine(text: string, line: number, column: number): Place {
  const start = text.slice(column - 1).trim() === '' ? text.search(/\S|$/) : column - 1
  const rest = text.slice(start, start + quoteUnitsMax)
  const quote = rest.replace(/[\uD800-\uDBFF]$/, '').trimEnd()
  return { line, column: start + 1, end_line: line, end_column: start + 1 + quote.length, quote }
}

function placeOfBytes(file: LintedFile, { startByte, endByte }: { startByte: number; endByte: number }) {
  const bytes = Buffer.from(file.text, file.encoding)
  const unitsBefore = (at: number) => bytes.toString(file.encoding, 0, Math.max(0, at - file.bytesBefore)).length
  const placeOf = indexLines(file.text)
  const [start, end] = [placeOf(unitsBefore(startByte)), placeOf(unitsBefore(endByte))]
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}

/** The first sentence or line of a message, on one line. */
function titleOf(message: string): string {
  const first = message.trim().split('\n')[0] ?? ''
  const sentence = /^.+?[^.\s]\.(?=\s)/.exec(first)?.[0] ?? first
  const title = sentence.replace(/\.$/, '').slice(0, titleUnitsMax).trim()
  return title === '' ? 'A linter complains' : title
}
