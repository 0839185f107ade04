import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import { isUnjudged } from '../finding/is-issue.ts'
import { isAtLeast, severities } from '../finding/severity.ts'
import { gatherFindings, refuseUnread } from '../reduce/gather.ts'
import { formatOfName, reportFormats, writeReport } from '../report/formats.ts'
import { writeReportFile } from '../report/report-file.ts'
import { issuesOf, reportOf } from '../report/report-of.ts'

declare const SWITCHYARD_VERSION: string

/** `deepscan export`: a report of findings in a format for people or programs. */
export const exportReport = defineVerb({
  summary: 'Write a report: JSON, SARIF, Markdown, CSV or HTML',
  args: [{ name: 'out', summary: 'The file to write; stdout without it', optional: true }],
  flags: {
    from: { type: 'string', value: 'FILE', summary: 'Findings or a report; - for stdin (those of the scan)' },
    session: { type: 'string', value: 'ID', summary: 'The scan, if not the current one' },
    format: { type: 'choice', choices: reportFormats, summary: "The format (that of the file's ending, else json)" },
    'fail-on': { type: 'choice', choices: severities, summary: 'Exit 1 when a finding is that severe, or more' },
    force: { type: 'boolean', summary: 'Write over a file that is there' },
  },
  examples: [
    'deepscan run --jsonl | deepscan export --from - report.html',
    'deepscan export --from findings.jsonl --format sarif',
  ],
  run({ args, flags, cwd, env, input, output }) {
    const named = args.out === undefined ? undefined : formatOfName(args.out)
    const format = flags.format ?? named ?? 'json'
    const path = args.out === undefined ? undefined : resolve(cwd, args.out)
    if (path !== undefined && !flags.force && existsSync(path)) throw occupied(args.out ?? '')
    const gathered = gatherFindings({ file: flags.from, session: flags.session }, { cwd, env, input })
    refuseUnread(gathered)
    const report = format === 'jsonl' ? issuesOf(gathered) : reportOf(gathered)
    const left = format === 'jsonl' ? gathered.findings.filter(isUnjudged).length : 0
    if (left > 0) output.note(`${counted(left, 'finding')} of agents left out: deepscan verify --refute judges them`)
    const pieces = writeReport(format, report, SWITCHYARD_VERSION)
    if (path === undefined) for (const piece of pieces) output.raw(piece)
    else {
      writeReportFile(path, args.out ?? '', pieces, flags.force)
      output.note(`${counted(report.findings.length, 'finding')} as ${format} in ${args.out}`)
    }
    const failing = flags['fail-on']
    const isReached = failing !== undefined && report.findings.some(({ severity }) => isAtLeast(severity, failing))
    return isReached ? exitCodes.failed : undefined
  },
})

function occupied(path: string): Failure {
  return new Failure('conflict', `${path} is there already`, { hint: 'name another file, or add --force' })
}
