import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { severities } from '../finding/severity.ts'
import { partitionRules } from '../linters/choose-linters.ts'
import { readReport } from '../linters/import-report.ts'
import { runLintFlags } from '../linters/lint-flags.ts'
import { lintTree } from '../linters/linted-tree.ts'
import { runAgentFlags } from '../map/map-flags.ts'
import { startPrinter } from '../report/printer.ts'
import { rules } from '../rules/all.ts'
import { withUserRules } from '../rules/user-rule.ts'
import { userRulesAt } from '../rules/user-rules-at.ts'
import { chooseRules } from '../scan/choose-rules.ts'
import { renderTally } from '../scan/render.ts'
import { openResultCache } from '../scan/result-cache.ts'
import { scanTree } from '../scan/scan-tree.ts'
import { countScanned, countSkip, startTally } from '../scan/tally.ts'
import { findFiles } from '../walk/walk.ts'
import { rootOfPath } from '../walk/walk-files.ts'

/** Fewer files are looked through sooner than a cache is read. */
const cachedFilesMin = 24

/**
 * `deepscan run [PATH...]`: findings of the built-in rules, by path, line and column. Exits 1 when `--fail-on` is
 * reached. With `--with` agents look: a scan is made, mapped, verified, refuted and reduced, and what stands is printed.
 */
export const run = defineVerb({
  summary: 'Find defects in source files',
  args: [{ name: 'path', summary: 'Files and folders to scan (the working folder)', optional: true, rest: true }],
  flags: {
    rule: { type: 'list', value: 'ID', summary: 'Look for this rule only' },
    rules: { type: 'string', value: 'PATH', summary: 'Look for your own rules, too: a folder of files, or one' },
    'all-rules': { type: 'boolean', summary: 'Look for rules, too, that never were a true defect yet' },
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
    analysis: { type: 'boolean', summary: 'Tell of circles of imports and blocks that stand twice, too' },
    all: { type: 'boolean', summary: 'Scan what is generated, minified or vendored, too' },
    'no-foreign-suppressions': {
      type: 'boolean',
      summary: "Report where another tool's comment asks for silence, too",
    },
    'no-cache': { type: 'boolean', summary: 'Scan files again that have not changed since the last run' },
    'max-file-bytes': {
      type: 'integer',
      value: 'N',
      min: 1,
      max: 100_000_000,
      default: 1_000_000,
      summary: 'Leave out larger files',
    },
    ...runLintFlags,
    ...runAgentFlags,
  },
  examples: ['deepscan run', 'deepscan run src --jsonl', 'deepscan run --severity high --fail-on high'],
  async run(call) {
    const { args, flags, cwd, env } = call
    const paths = args.path.length > 0 ? args.path : ['.']
    if (flags.with !== undefined || flags.query !== undefined) {
      const { runWithAgents } = await import('../map/run-with-agents.ts')
      return runWithAgents({ paths, flags, lowest: flags.severity, failOn: flags['fail-on'] }, call)
    }
    const printer = startPrinter({ ...flags, failOn: flags['fail-on'] }, call)
    if (flags.import !== undefined) {
      const report = readReport(flags.import, args.path, call)
      printer.print(report.findings)
      return printer.end([`${counted(report.findings.length, 'finding')}; ${report.lost} about nothing that is here`])
    }
    const { ours } = partitionRules(flags.rule)
    const isOnlyLinted = flags.rule.length > 0 && ours.length === 0
    const userRules = await userRulesAt(flags.rules, cwd)
    const all = withUserRules(rules, userRules)
    const wanted = { ids: ours, lowest: flags.severity, isAll: flags['all-rules'] }
    const chosen = isOnlyLinted ? [] : chooseRules(all, wanted)
    const tally = startTally(chosen.length)
    const origin = { cwd, home: env.HOME }
    const files = findFiles(paths, origin, (reason) => countSkip(tally, reason))
    const settings = {
      ruleIds: chosen.map(({ id }) => id),
      userRules,
      isForeignHeard: !flags['no-foreign-suppressions'],
    }
    const isCached = !flags['no-cache'] && files.length >= cachedFilesMin
    const cache = isCached ? openResultCache(env, rootOfPath(paths[0] ?? '.', origin), settings) : undefined
    const tree = { ...settings, fileBytesMax: flags['max-file-bytes'], isAll: flags.all, cache }
    const linted = await lintTree(files, { ...flags, fileBytesMax: flags['max-file-bytes'] }, { ...call, paths })
    for await (const scanned of scanTree(files, tree)) {
      printer.print(countScanned(tally, linted.addTo(scanned), flags.severity))
    }
    cache?.save()
    if (flags.analysis) {
      const { analyse } = await import('../analysis/analyse.ts')
      for (const finding of analyse(files, flags['max-file-bytes'])) {
        tally.findings += 1
        printer.print([finding])
      }
    }
    return printer.end([...renderTally(tally), ...linted.faults])
  },
})
