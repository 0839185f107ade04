import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import type { Finding } from '../finding/finding.ts'
import { isAtLeast, severities } from '../finding/severity.ts'
import { gatherFindings } from '../reduce/gather.ts'
import { type Changed, changes, diffFindings } from '../report/diff.ts'
import { renderFinding } from '../scan/render.ts'

/** `deepscan diff`: which findings are new, fixed, or there still. */
export const diff = defineVerb({
  summary: 'Compare the findings of two scans: new, fixed, persisting',
  args: [
    { name: 'before', summary: 'A scan, or a file of findings, or - for stdin' },
    { name: 'after', summary: 'The same, later' },
  ],
  flags: {
    only: { type: 'choice', choices: changes, summary: 'Show these only' },
    'fail-on': { type: 'choice', choices: severities, summary: 'Exit 1 when a new finding is that severe, or more' },
  },
  examples: [
    'deepscan diff before.jsonl after.jsonl',
    'deepscan run --jsonl | deepscan diff before.jsonl - --only new',
  ],
  run({ args, flags, cwd, env, input, output }) {
    if (args.before === '-' && args.after === '-') {
      throw new Failure('usage', 'expected one of the two on stdin, got both', { hint: 'put one into a file' })
    }
    const read = (named: string) => {
      const isFile = named === '-' || existsSync(resolve(cwd, named))
      const source = isFile ? { file: named, session: undefined } : { file: undefined, session: named }
      return gatherFindings(source, { cwd, env, input }).findings.filter(isCredible)
    }
    const changed = diffFindings(read(args.before), read(args.after))
    const shown = changed.filter(({ change }) => flags.only === undefined || change === flags.only)
    output.list(shown, { text: renderChanged, id: ({ finding }: Changed) => finding.id })
    const counts = changes.map((change) => `${changed.filter((one) => one.change === change).length} ${change}`)
    output.note(counts.join(', '))
    const failing = flags['fail-on']
    const isWorse = ({ change, finding }: Changed) =>
      failing !== undefined && change === 'new' && isAtLeast(finding.severity, failing)
    return changed.some(isWorse) ? exitCodes.failed : undefined
  },
})

function isCredible({ verification }: Finding): boolean {
  return verification !== 'ghost' && verification !== 'refuted'
}

function renderChanged({ change, finding, was }: Changed): string {
  const from = was === undefined || was.path === finding.path ? '' : ` (was ${was.path}:${was.line})`
  return `${change} ${renderFinding(finding)}${from}`
}
