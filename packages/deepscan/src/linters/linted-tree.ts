import { resolve } from 'node:path'
import type { Scanned } from '../scan/scan-tree.ts'
import type { FoundFile } from '../walk/walk.ts'
import { chooseLinters, partitionRules } from './choose-linters.ts'
import { lintFiles } from './lint.ts'
import { findingsOf } from './linted-file.ts'
import { mergeLinted } from './merge-linted.ts'
import { topOf } from './top-of.ts'

/** What a person says of linters: a list of them, and rules by their ids, of ours or of theirs. */
export type LintWishes = {
  linters: string | undefined
  rule: readonly string[]
  fileBytesMax: number
  'project-linters': boolean
  'linter-timeout': number
}

type Place = { cwd: string; env: Readonly<Record<string, string | undefined>>; paths: readonly string[] }

/** What linters said of a tree. `addTo` puts what they said of a file to what rules found in it, each defect once. */
export type LintedTree = { faults: readonly string[]; addTo: (scanned: Scanned) => Scanned }

/** Asks linters about the files below some paths. Where only our own rules are wanted, none is started. */
export async function lintTree(files: readonly FoundFile[], wishes: LintWishes, place: Place): Promise<LintedTree> {
  const { rule: rules, fileBytesMax } = wishes
  const { cwd, env } = place
  const chosen = chooseLinters(wishes.linters ?? env['DEEPSCAN_LINTERS'])
  const { linted } = partitionRules(rules)
  const linters = rules.length === 0 ? chosen : chosen.filter((name) => linted.some((id) => id.startsWith(`${name}/`)))
  const top = topOf(resolve(cwd, place.paths[0] ?? '.'), env)
  const isTrusted = wishes['project-linters']
  const report = await lintFiles(files, { linters, top, isTrusted, cwd, env, timeoutMs: wishes['linter-timeout'] })
  const addTo = (scanned: Scanned): Scanned => {
    const { file, result } = scanned
    const complaints = report.complaints.get(file.path)
    if (complaints === undefined || typeof result === 'string' || !('findings' in result)) return scanned
    const all = findingsOf(file, complaints, fileBytesMax)
    const theirs = rules.length === 0 ? all : all.filter(({ rule }) => linted.includes(rule))
    return { file, result: { ...result, findings: mergeLinted(result.findings, theirs) } }
  }
  return { faults: report.faults, addTo }
}
