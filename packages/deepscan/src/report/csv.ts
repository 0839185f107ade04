import type { Finding } from '../finding/finding.ts'
import type { Report } from './report-schema.ts'

const columns: Readonly<Record<string, (finding: Finding) => string | number>> = {
  severity: ({ severity }) => severity,
  confidence: ({ confidence }) => confidence,
  score: ({ score }) => score?.total ?? '',
  rule: ({ rule }) => rule,
  title: ({ title }) => title,
  path: ({ path }) => path,
  line: ({ line }) => line,
  column: ({ column }) => column,
  places: ({ occurrences = [] }) => Math.max(1, occurrences.length),
  verification: ({ verification }) => verification ?? '',
  category: ({ category }) => category,
  analyser: ({ analyser }) => analyser ?? 'rules',
  message: ({ message }) => message,
  quote: ({ quote }) => quote,
  id: ({ id }) => id,
}

/** A report as a table for spreadsheets: RFC 4180, a finding a row. */
export function* csvReport({ findings }: Report): Generator<string> {
  yield `${Object.keys(columns).join(',')}\r\n`
  for (const finding of findings) {
    yield `${Object.values(columns)
      .map((cell) => csvCell(cell(finding)))
      .join(',')}\r\n`
  }
}

/** A cell that no spreadsheet takes for a formula, whatever scanned code says. */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
