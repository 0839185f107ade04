import { defineVerb } from '@switchyard/cli-kit'
import { nearest } from '@switchyard/cli-kit/nearest'
import { exitCodes, Failure } from '@switchyard/ground/failure'
import type { Finding } from '../finding/finding.ts'
import { isAtLeast, type Severity, severities } from '../finding/severity.ts'
import { runAgentFlags } from '../map/map-flags.ts'
import type { Rule } from '../rule/rule.ts'
import { findRule, rules } from '../rules/all.ts'
import { renderFinding, renderTally } from '../scan/render.ts'
import { scanSource } from '../scan/scan.ts'
import { countScan, countSkip, startTally, type Tally } from '../scan/tally.ts'
import { loadParser, type Parse } from '../syntax/parser.ts'
import { decodeSource } from '../text/source-text.ts'
import { readSourceFile } from '../walk/source-file.ts'
import { type FoundFile, findFiles } from '../walk/walk.ts'

/**
 * `deepscan run [PATH...]`: findings of the built-in rules, by path, line and column. Exits 1 when `--fail-on` is
 * reached. With `--with` agents look: a scan is made, mapped, verified, refuted and reduced, and what stands is printed.
 */
export const run = defineVerb({
  summary: 'Find defects in source files',
  args: [{ name: 'path', summary: 'Files and folders to scan (the working folder)', optional: true, rest: true }],
  flags: {
    rule: { type: 'list', value: 'ID', summary: 'Look for this rule only' },
    severity: {
      type: 'choice',
      choices: severities,
      default: 'low',
      summary: 'Leave out findings below this severity',
    },
    'fail-on': {
      type: 'choice',
      choices: severities,
      summary: 'Exit 1 when a finding has this severity or a higher one',
    },
    'no-foreign-suppressions': {
      type: 'boolean',
      summary: "Report where another tool's comment asks for silence, too",
    },
    'max-file-bytes': {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 100_000_000,
      default: 1_000_000,
      summary: 'Leave out larger files',
    },
    ...runAgentFlags,
  },
  examples: ['deepscan run', 'deepscan run src --jsonl', 'deepscan run --severity high --fail-on high'],
  async run(call) {
    const { args, flags, cwd, env, output } = call
    if (flags.with !== undefined || flags.query !== undefined) {
      const { runWithAgents } = await import('../map/run-with-agents.ts')
      const paths = args.path.length > 0 ? args.path : ['.']
      return runWithAgents({ paths, flags, lowest: flags.severity, failOn: flags['fail-on'] }, call)
    }
    const selected = selectRules(flags.rule, flags.severity)
    const failing = flags['fail-on']
    const tally = startTally()
    const paths = args.path.length > 0 ? args.path : ['.']
    const files = findFiles(paths, { cwd, home: env.HOME }, (reason) => countSkip(tally, reason))
    const shown = { text: renderFinding, id: ({ id }: Finding) => id }
    const document: Finding[] = []
    let isReached = false
    const scanning = {
      selected,
      bytesMax: flags['max-file-bytes'],
      isForeignHeard: !flags['no-foreign-suppressions'],
      tally,
    }
    for (const [index, file] of files.entries()) {
      // Trees are given back on a turn of the event loop alone.
      if (index % 20 === 19) await new Promise((resume) => setImmediate(resume))
      const parse = await loadParser(file.language)
      for (const finding of scanFile(parse, file, scanning)) {
        isReached ||= failing !== undefined && isAtLeast(finding.severity, failing)
        if (output.mode === 'json') document.push(finding)
        else output.each(finding, shown)
      }
    }
    if (output.mode === 'json') output.list(document, shown)
    for (const remark of renderTally(tally)) output.note(remark)
    return isReached ? exitCodes.failed : undefined
  },
})

function selectRules(ids: readonly string[], lowest: Severity): readonly Rule[] {
  const named = ids.map((id) => {
    const rule = findRule(id)
    if (rule !== undefined) return rule
    const meant = nearest(
      id,
      rules.map((known) => known.id),
    )
    const hint = meant === undefined ? 'docs/deepscan-rules.md lists them' : `did you mean ${meant}?`
    throw new Failure('usage', `expected the id of a rule, got ${id}`, { hint })
  })
  return (ids.length > 0 ? named : rules).filter(({ severity }) => isAtLeast(severity, lowest))
}

type Scanning = { selected: readonly Rule[]; bytesMax: number; isForeignHeard: boolean; tally: Tally }

function scanFile(parse: Parse, { absolute, path, language }: FoundFile, scanning: Scanning): readonly Finding[] {
  const file = readSourceFile(absolute, scanning.bytesMax)
  const scan =
    typeof file === 'string'
      ? file
      : scanSource(parse, { path, language, text: decodeSource(file.bytes).text }, scanning.selected, scanning)
  if (typeof scan === 'string') {
    countSkip(scanning.tally, scan)
    return []
  }
  countScan(scanning.tally, scan)
  return scan.matches.map(({ finding }) => finding)
}
