import type { Context } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { exitCodes } from '@switchyard/ground/failure'
import type { Finding } from '../finding/finding.ts'
import { isAtLeast, type Severity } from '../finding/severity.ts'
import { renderFinding } from '../scan/render.ts'
import { readBaseline } from './baseline.ts'

/** What findings are printed: those of a severity that no baseline has; one of `failOn` makes the run fail. */
export type PrinterWishes = { severity: Severity; failOn: Severity | undefined; baseline: string | undefined }

/** Prints findings as they come. `end` prints what is left and remarks for people, and gives the exit code. */
export type Printer = {
  print: (findings: readonly Finding[]) => void
  end: (remarks: readonly string[]) => number | undefined
}

/** Starts to print to the output of a call. Exits 2 or 3 where its baseline cannot be read. */
export function startPrinter({ severity, failOn, baseline }: PrinterWishes, call: Context): Printer {
  const { output } = call
  const known = readBaseline(baseline, call)
  const shown = { text: renderFinding, id: ({ id }: Finding) => id }
  const document: Finding[] = []
  let isReached = false
  const print = (findings: readonly Finding[]) => {
    for (const finding of findings) {
      if (!isAtLeast(finding.severity, severity) || !known.isNew(finding)) continue
      isReached ||= failOn !== undefined && isAtLeast(finding.severity, failOn)
      if (output.mode === 'json') document.push(finding)
      else output.each(finding, shown)
    }
  }
  const end = (remarks: readonly string[]) => {
    if (output.mode === 'json') output.list(document, shown)
    for (const remark of remarks) output.note(remark)
    if (known.count() > 0) output.note(`${counted(known.count(), 'finding')} known to the baseline`)
    return isReached ? exitCodes.failed : undefined
  }
  return { print, end }
}
