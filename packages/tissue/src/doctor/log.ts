// What is wrong with the log: every line of it, and the clocks of those who wrote it.
import { existsSync } from 'node:fs'
import { counted } from '@switchyard/cli-kit/counted'
import type { CorruptLine } from '@switchyard/jsonl'
import { bad, type Finding, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import { singlesOf } from '../log/write-lines.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import { type IssueStore, readRecords } from '../store/store.ts'
import { type Report, reportOn } from './report.ts'

/** How far clocks may disagree before it is said. */
const clockSkewMs = 10 * 60_000

/** Looks at every line of the log. */
export function examineLog({ log }: IssueStore, { now }: Visit): Finding[] {
  if (!existsSync(log)) return []
  const report = reportOn(log)
  const corrupt = report.corrupt.map(describeCorrupt)
  return [...(corrupt.length > 0 ? corrupt : [sound(report)]), ...examineStrange(report), ...examineClocks(log, now)]
}

function sound({ events, issues, torn, duplicates, void: lost }: Report): Finding {
  const notes = [
    torn > 0 ? `${torn} cut off by a kill, which is harmless` : '',
    duplicates > 0 ? `${duplicates} there twice, which is harmless` : '',
    lost > 0 ? `${lost} void: another was first` : '',
  ]
  const text = [`${counted(events, 'event')} of ${counted(issues, 'issue')}, every line whole`, ...notes]
  return ok('log', text.filter((part) => part !== '').join('; '))
}

function describeCorrupt({ file, line, reason }: CorruptLine): Finding {
  const where = `${file}:${line}: ${reason}`
  if (reason.includes('conflict'))
    return bad('log', where, 'take the marker lines out with an editor, and nothing else')
  if (reason.includes('used before'))
    return bad(
      'log',
      where,
      'the one that is smaller in byte order counts; a line was changed by hand: git log -p shows by whom',
    )
  return bad('log', where, 'readers skip it; what another clone exports brings it back: tissue import -')
}

function examineStrange({ unknown, foreign }: Report): Finding[] {
  const findings: Finding[] = []
  if (unknown > 0)
    findings.push(
      warn('log', `${counted(unknown, 'event')} of a later version, kept but not understood`, 'update tissue'),
    )
  if (foreign > 0)
    findings.push(
      warn('log', `${counted(foreign, 'line')} that are no events`, 'tissue doctor --log counts them; they are kept'),
    )
  return findings
}

/** One finding for each writer whose clock runs ahead: what they wrote stays the newest until time has caught up. */
function examineClocks(log: string, now: number): Finding[] {
  const ahead = new Map<string, { at: number; id: string }>()
  for (const { record } of readRecords(log)) {
    if (record === undefined || !isKnownEvent(record)) continue
    for (const { at, by, id } of singlesOf(record)) {
      if (at > now + clockSkewMs && at > (ahead.get(by)?.at ?? 0)) ahead.set(by, { at, id })
    }
  }
  return [...ahead].map(([by, { at, id }]) => {
    const minutes = Math.round((at - now) / 60_000)
    const advice = 'set the clock of that machine; leases are judged by the clock of whoever reads'
    return warn('clock', `${by} wrote ${id} ${minutes} minutes in the future`, advice)
  })
}
