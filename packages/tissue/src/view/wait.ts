// Waiting until issues are as somebody wants them.
import { Failure } from '@switchyard/ground/failure'
import { watchFolders } from '@switchyard/jsonl'
import type { Need } from '../cache/need.ts'
import type { LogReading } from '../cache/reading.ts'
import { readState } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import { readLedger, stampOf } from '../store/store.ts'

/** How often it is looked at without an event: leases run out without one, and some file systems send none. */
const lookMs = 1_000

type Wait = {
  readonly log: string
  readonly ids: readonly string[]
  /** How much of the log `isDone` looks at, with the issues themselves. */
  readonly need: Need
  readonly isDone: (ledger: Ledger) => (id: string) => boolean
  readonly signal: AbortSignal
  /** Told of each look at the log. */
  readonly onRead: (reading: LogReading) => void
  /** Told once, when nothing that comes to the log from now on is missed. */
  readonly onWaiting: (missing: readonly string[]) => void
}

/** How a wait ended: the ledger as it was then, and which issues were not as wanted, none if all were. */
export type Waited = { readonly ledger: Ledger; readonly missing: readonly string[] }

/**
 * Looks at the log whenever something happens to it, until all issues are as wanted or `signal` is aborted. The log may
 * be replaced, or away for a while, as when git checks out another branch. Exits 3 when an issue is deleted meanwhile.
 */
export async function waitFor({ log, ids, need, isDone, signal, onRead, onWaiting }: Wait): Promise<Waited> {
  const watch = watchFolders([log], lookMs)
  signal.addEventListener('abort', watch.wake)
  const read = () => {
    const reading = readLedger(log, need)
    onRead(reading)
    return reading.ledger
  }
  try {
    let stamp = stampOf(log)
    let ledger = read()
    let isTold = false
    for (;;) {
      refuseDeleted(ledger, ids)
      const missing = missingOf(ledger, ids, isDone)
      if (missing.length === 0 || signal.aborted) return { ledger, missing }
      if (!isTold) onWaiting(missing)
      isTold = true
      await watch.next()
      const now = stampOf(log)
      if (now !== stamp) ledger = read()
      stamp = now
    }
  } finally {
    signal.removeEventListener('abort', watch.wake)
    watch.close()
  }
}

function missingOf(ledger: Ledger, ids: readonly string[], isDone: Wait['isDone']): string[] {
  const there = ids.filter((id) => readState(ledger, id))
  // Nothing is asked of a log that is away, in which a query could not find what it names.
  if (there.length < ids.length) return [...ids]
  const test = isDone(ledger)
  return ids.filter((id) => !test(id))
}

function refuseDeleted(ledger: Ledger, ids: readonly string[]): void {
  const gone = ids.find((id) => ledger.issues.has(id) && !readState(ledger, id))
  if (gone === undefined) return
  throw new Failure('notFound', `expected ${gone} to be there, it was deleted`, { hint: 'see tissue history' })
}
