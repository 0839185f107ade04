// A log folded whole: once, and once more where a line behind tells of one before it.

import type { Knowledge } from './fold.ts'
import { applyRecord, type EventFate, emptyLedger, type Ledger, settle, type Watch } from './fold.ts'
import { knowledgeOf } from './knowledge.ts'

type Fields = Readonly<Record<string, unknown>>

/** The state after these records. */
export function foldRecords(records: Iterable<Fields>): Ledger {
  const all = [...records]
  return foldAll(() => all)
}

/** Hears what became of each record; `restart` says that they come again, as now more is known. */
export type Listener = {
  readonly record?: (record: Fields, verdict: EventFate) => void
  readonly event?: Watch
  readonly restart?: () => void
}

/** The state after these records, which are read again if what stands behind tells of what stands before. */
export function foldAll(read: () => Iterable<Fields>, listener: Listener = {}): Ledger {
  const pass = (known?: Knowledge) => {
    const ledger = emptyLedger(known)
    for (const record of read()) {
      const verdict = applyRecord(ledger, record, listener.event)
      listener.record?.(record, verdict)
    }
    settle(ledger)
    return ledger
  }
  const first = pass()
  const known = knowledgeOf(first, read)
  if (!known) return first
  listener.restart?.()
  return pass(known)
}
