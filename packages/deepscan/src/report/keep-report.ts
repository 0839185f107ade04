import { join } from 'node:path'
import process from 'node:process'
import { readStored } from '@switchyard/ground/disk'
import { parseJson } from '@switchyard/ground/parse-json'
import { replaceWhole } from '@switchyard/ground/whole-file'
import { appendEvents, type Run } from '../store/append-records.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { type Report, reportSchema } from './report-schema.ts'

/** Keeps a report with its scan, and says that the scan is complete. */
export function keepReport(open: OpenScan, report: Report, run: Run): void {
  const path = join(open.folder, 'report.json')
  replaceWhole(path, `${path}.${process.pid}.draft`, [Buffer.from(`${JSON.stringify(report)}\n`)], { mode: 0o600 })
  appendEvents(open, run, [{ type: 'phase', phase: 'completed' }])
}

/** The report that `deepscan reduce` kept, while it is one of as many findings as there are now. */
export function keptReport(open: OpenScan, findings: number): Report | undefined {
  const text = readStored(join(open.folder, 'report.json'))
  const report = text === undefined ? undefined : reportSchema.safeParse(parseJson(text)).data
  return report?.totals.given === findings ? report : undefined
}
