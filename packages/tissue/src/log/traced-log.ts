// A log folded once, with what became of each event and which lines hold it.
import type { SingleEvent } from './event-schema.ts'
import { applyRecord, emptyLedger, type Ledger, type Verdict } from './fold.ts'

/** A line of a log; a damaged one has no record. */
export type SourceLine = { readonly text: string; readonly record: Readonly<Record<string, unknown>> | undefined }

/** An event that was read for the first time, and the number of its line, from 0. */
export type Traced = { readonly event: SingleEvent; readonly at: number; readonly verdict: 'applied' | 'void' }

export type TracedLog = {
  readonly ledger: Ledger
  readonly events: readonly Traced[]
  /** By line; undefined for a damaged one. */
  readonly verdicts: readonly (Verdict | undefined)[]
}

/** Folds these lines. */
export function traceLog(lines: Iterable<SourceLine>): TracedLog {
  const ledger = emptyLedger()
  const events: Traced[] = []
  const verdicts: (Verdict | undefined)[] = []
  for (const { record } of lines) {
    const at = verdicts.length
    const verdict =
      record &&
      applyRecord(ledger, record, (event, became) => {
        events.push({ event, at, verdict: became })
      })
    verdicts.push(verdict)
  }
  return { ledger, events, verdicts }
}
