import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import type { Finding } from '../finding/finding.ts'
import { severities } from '../finding/severity.ts'
import { gatherFindings, refuseUnread } from '../reduce/gather.ts'
import { type Grouping, groupings } from '../reduce/group.ts'
import { readWeights } from '../reduce/read-weights.ts'
import { reduceFindings } from '../reduce/reduce.ts'
import { otherPlaces, renderTotals } from '../report/facts.ts'
import { keepReport } from '../report/keep-report.ts'
import type { Report } from '../report/report-schema.ts'
import { renderFinding } from '../scan/render.ts'
import { startRun } from '../store/append-records.ts'

/** `deepscan reduce`: brings findings together that are one, and puts the most worth a look first. */
export const reduce = defineVerb({
  summary: 'Bring findings together that are one, the most worth a look first',
  args: [{ name: 'file', summary: 'Findings, one a line; - for stdin (those of the scan)', optional: true }],
  flags: {
    session: { type: 'string', value: 'ID', summary: 'The scan, if not the current one' },
    by: {
      type: 'string',
      value: 'LIST',
      default: groupings.join(','),
      summary: 'What brings findings together: location, rule, text',
    },
    threshold: { type: 'string', value: 'SHARE', default: '0.7', summary: 'How alike they must be, from 0 to 1' },
    'min-confidence': { type: 'choice', choices: severities, default: 'low', summary: 'Leave out what is less sure' },
    rank: { type: 'string', value: 'QUERY', summary: 'Put first what is near to these words' },
    agree: { type: 'boolean', summary: 'Exit 5 when findings contradict each other' },
  },
  examples: ['deepscan run --jsonl | deepscan reduce -', 'deepscan reduce --json --rank "sql injection"'],
  run({ args, flags, cwd, env, input, output, now }) {
    const { findings: given, open } = gatherFindings({ file: args.file, session: flags.session }, { cwd, env, input })
    if (given.length === 0 && args.file !== undefined) throw nothingGiven(args.file)
    refuseUnread({ findings: given, open })
    const query = flags.rank ?? open?.scan.query ?? undefined
    const reduced = reduceFindings(given, {
      by: parseGroupings(flags.by),
      threshold: parseShare(flags.threshold),
      minConfidence: flags['min-confidence'],
      query,
      weights: readWeights(env, open?.scan.root ?? cwd),
    })
    const scan = open?.scan.id ?? null
    const report: Report = {
      v: 1,
      type: 'report',
      scan,
      query: query ?? null,
      ...reduced,
      findings: [...reduced.findings],
    }
    if (open !== undefined) keepReport(open, report, startRun(now))
    const shown = { text: renderReduced, id: ({ id }: Finding) => id }
    if (output.mode === 'json') output.one(report, { text: () => '', id: () => '' })
    else output.list(report.findings, shown)
    output.note(renderTotals(report))
    const { contradictions } = report.totals
    if (flags.agree && contradictions > 0) throw fail('DS-203', { count: contradictions })
    return undefined
  },
})

function nothingGiven(file: string): Failure {
  return new Failure('notFound', `${file} has no findings to reduce`, { hint: 'deepscan run --jsonl makes some' })
}

function renderReduced(finding: Finding): string {
  const others = otherPlaces(finding).length
  const places = others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'place' : 'places'})`
  return `${renderFinding(finding)}${places}`
}

function parseGroupings(list: string): Grouping[] {
  return list.split(',').map((name) => {
    const grouping = groupings.find((known) => known === name.trim())
    if (grouping !== undefined) return grouping
    throw new Failure('usage', `expected --by to name some of ${groupings.join(', ')}, got ${list}`)
  })
}

function parseShare(text: string): number {
  const share = text.trim() === '' ? Number.NaN : Number(text)
  if (share >= 0 && share <= 1) return share
  throw new Failure('usage', `expected --threshold from 0 to 1, got ${text}`)
}
