// A log folded once, with what became of each event and which lines hold it.

import type { EventFate, Ledger } from '../log/fold.ts'
import { foldAll } from '../log/fold-all.ts'
import type { SingleEvent } from '../schema/event-schema.ts'

/** A line of a log; a damaged one has no record. */
export type SourceLine = { readonly text: string; readonly record: Readonly<Record<string, unknown>> | undefined }

/** An event that counts, and the number of its line, from 0. */
export type Traced = { readonly event: SingleEvent; readonly at: number }

export type TracedLog = {
  readonly ledger: Ledger
  readonly events: readonly Traced[]
  /** By line; undefined for a damaged one. */
  readonly verdicts: readonly (EventFate | undefined)[]
}

/** Folds these lines. */
export function traceLog(lines: readonly SourceLine[]): TracedLog {
  const events: Traced[] = []
  const verdicts: (EventFate | undefined)[] = []
  let at = 0
  function* read() {
    at = -1
    for (const { record } of lines) {
      at += 1
      if (record) yield record
    }
  }
  const ledger = foldAll(read, {
    event: (event) => events.push({ event, at }),
    record: (_, verdict) => {
      verdicts[at] = verdict
    },
    restart: () => {
      events.length = 0
    },
  })
  return { ledger, events, verdicts: lines.map((_, line) => verdicts[line]) }
}
