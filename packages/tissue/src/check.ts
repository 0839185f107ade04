// What is in a log, and what is wrong with it.
import { type CorruptLine, checkLog } from '@switchyard/jsonl'
import { applyRecord, emptyLedger, type Verdict } from './fold.ts'
import { createdIds } from './issue.ts'
import { orRefused } from './refusal.ts'
import { readRecords } from './store.ts'

/** Counts of all lines; `corrupt` is empty for a sound log. */
export type Report = {
  readonly v: 1
  readonly path: string
  readonly lines: number
  readonly events: number
  readonly issues: number
  readonly torn: number
  readonly duplicates: number
  readonly void: number
  readonly unknown: number
  readonly foreign: number
  readonly corrupt: readonly CorruptLine[]
}

/** Reads the whole log at `path`, which may not exist. */
export function checkStore(path: string): Report {
  const { lines, torn, duplicates, corrupt } = orRefused(path, () => checkLog(path))
  const ledger = emptyLedger()
  const counts: Record<Verdict, number> = { applied: 0, duplicate: 0, void: 0, partly: 0, unknown: 0, foreign: 0 }
  for (const { record } of readRecords(path)) {
    if (record !== undefined) counts[applyRecord(ledger, record)] += 1
  }
  return {
    v: 1,
    path,
    lines,
    events: counts.applied + counts.void + counts.partly + counts.unknown,
    issues: createdIds(ledger).length,
    torn,
    duplicates,
    void: counts.void + counts.partly,
    unknown: counts.unknown,
    foreign: counts.foreign,
    corrupt,
  }
}
