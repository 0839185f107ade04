// What is in a log, and what is wrong with it.
import { type CorruptLine, checkLog } from '@switchyard/jsonl'
import { createdIds } from '../issue.ts'
import { orRefused } from '../refusal.ts'
import { readRecords } from '../store.ts'
import { singlesOf } from './draft.ts'
import { applyRecord, emptyLedger, type Verdict } from './fold.ts'
import { isKnownEvent } from './guard.ts'

/** Counts of all lines; `issues` are those that were not deleted, `corrupt` is empty for a sound log. */
export type Report = {
  readonly v: 1
  readonly path: string
  readonly lines: number
  readonly events: number
  readonly issues: number
  readonly deleted: number
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
  let events = 0
  const counts: Record<Verdict, number> = { applied: 0, duplicate: 0, void: 0, partly: 0, unknown: 0, foreign: 0 }
  for (const { record } of readRecords(path)) {
    if (record === undefined) continue
    const verdict = applyRecord(ledger, record)
    counts[verdict] += 1
    if (verdict !== 'duplicate' && verdict !== 'foreign') events += eventsIn(record)
  }
  const issues = createdIds(ledger).length
  return {
    v: 1,
    path,
    lines,
    events,
    issues,
    deleted: [...ledger.issues.values()].filter(({ created }) => created !== undefined).length - issues,
    torn,
    duplicates,
    void: counts.void + counts.partly,
    unknown: counts.unknown,
    foreign: counts.foreign,
    corrupt,
  }
}

/** A batch is one line, and as many events as it holds. */
function eventsIn(record: Readonly<Record<string, unknown>>): number {
  return isKnownEvent(record) ? singlesOf(record).length : 1
}
