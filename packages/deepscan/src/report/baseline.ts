import type { Context } from '@switchyard/cli-kit'
import { readText } from '@switchyard/cli-kit/body'
import type { Finding } from '../finding/finding.ts'
import { parseFindings } from '../finding/parse-findings.ts'

/** The findings that somebody knows already. `isNew` counts those that it finds known. */
type Baseline = { isNew: (finding: Finding) => boolean; count: () => number }

const baselineBytesMax = 500 * 1024 * 1024

/** Reads a baseline: findings as `run --jsonl`, `run --json` or `reduce --json` print them. Without a file all are new. */
export function readBaseline(file: string | undefined, from: Pick<Context, 'cwd' | 'input'>): Baseline {
  const findings = file === undefined ? [] : parseFindings(readText(file, from, baselineBytesMax), file)
  const ids = new Set(findings.map(({ id }) => id))
  let known = 0
  const isNew = ({ id }: Finding) => {
    if (!ids.has(id)) return true
    known += 1
    return false
  }
  return { isNew, count: () => known }
}
