import { csvReport } from './csv.ts'
import { htmlReport } from './html.ts'
import { markdownReport } from './markdown.ts'
import type { Report } from './report-schema.ts'
import { sarifReport } from './sarif.ts'

export const reportFormats = ['json', 'jsonl', 'sarif', 'md', 'csv', 'html'] as const
export type ReportFormat = (typeof reportFormats)[number]

const writers: Readonly<Record<ReportFormat, (report: Report, version: string) => Iterable<string>>> = {
  json: (report) => [`${JSON.stringify(report)}\n`],
  jsonl: (report) => report.findings.map((finding) => `${JSON.stringify(finding)}\n`),
  sarif: sarifReport,
  md: markdownReport,
  csv: csvReport,
  html: htmlReport,
}

/** A report in a format, in pieces. `version` is that of deepscan. */
export function writeReport(format: ReportFormat, report: Report, version: string): Iterable<string> {
  return writers[format](report, version)
}

/** The format that the ending of a file's name stands for, if it does. */
export function formatOfName(name: string): ReportFormat | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (ending === 'htm') return 'html'
  if (ending === 'markdown') return 'md'
  return reportFormats.find((format) => format === ending)
}
