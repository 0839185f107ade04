// What is in a log, counted, and what of it is damaged.
import type { Output } from '@switchyard/cli-kit'
import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import { type CorruptLine, checkLog } from '@switchyard/jsonl'
import { createdIds } from '../issue/issue.ts'
import { type EventFate, isVoid } from '../log/fold.ts'
import { foldAll } from '../log/fold-all.ts'
import { singlesOf } from '../log/write-lines.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import type { SingleEvent } from '../schema/event-schema.ts'
import { readRecords } from '../store/store.ts'
import { orRefused } from '../text/refusal.ts'

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

/**
 * Prints what is in the log at `path`. Exits 7 when a line is corrupt or an event has two contents; a torn line is only
 * counted.
 */
export function reportLog(path: string, output: Output): ExitCode | undefined {
  const report = reportOn(path)
  const { lines, events, issues, torn, duplicates, foreign, unknown, void: lost, corrupt } = report
  const text =
    `${path}: ${lines} lines, ${events} events, ${issues} issues; ${torn} torn, ${duplicates} repeated, ` +
    `${lost} void, ${unknown} of a later version, ${foreign} no events, ${corrupt.length} corrupt`
  output.one(report, { text: () => text, id: () => path })
  for (const { file, line, offset, reason } of corrupt) output.note(`${file}:${line}: byte ${offset}: ${reason}`)
  return corrupt.length > 0 ? exitCodes.corrupt : undefined
}

/** Reads the whole log at `path`, which may not exist. */
export function reportOn(path: string): Report {
  const { lines, torn, duplicates, corrupt } = orRefused(path, () => checkLog(path))
  const kinds: EventFate[] = []
  const claims: SingleEvent[] = []
  let events = 0
  const start = () => {
    events = kinds.length = claims.length = 0
  }
  const ledger = foldAll(() => recordsIn(path), {
    restart: start,
    record: (record, verdict) => {
      kinds.push(verdict)
      if (verdict === 'applied' || verdict === 'unknown') events += eventsIn(record)
    },
    event: (event) => {
      if (event.type === 'claimed') claims.push(event)
    },
  })
  const countOf = (wanted: EventFate) => kinds.filter((verdict) => verdict === wanted).length
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
    void: claims.filter((claim) => isVoid(ledger, claim)).length + ledger.withdrawn.size,
    unknown: countOf('unknown'),
    foreign: countOf('foreign'),
    corrupt,
  }
}

function* recordsIn(path: string): Generator<Record<string, unknown>> {
  for (const { record } of readRecords(path)) if (record) yield record
}

/** A batch is one line, and as many events as it holds. */
function eventsIn(record: Readonly<Record<string, unknown>>): number {
  return isKnownEvent(record) ? singlesOf(record).length : 1
}
