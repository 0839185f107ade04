// Whether what came after a snapshot can be folded on it. If not, the whole log is folded: the answers are the same.

import type { Ledger } from '../log/fold.ts'
import { isUnknownEvent } from '../log/later-event.ts'
import { singlesOf } from '../log/write-lines.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import type { Dep, SingleEvent } from '../schema/event-schema.ts'

type Test = (id: string) => boolean

/** Whether the next line changes nothing but what this ledger has, or has whole from now on. */
export function foldsOn(ledger: Ledger, record: Readonly<Record<string, unknown>>): boolean {
  const { elsewhere } = ledger
  if (!elsewhere) return true
  const isNew = ({ id }: { readonly id?: unknown }) => typeof id === 'string' && id > elsewhere.maxId
  if (!isKnownEvent(record)) return !isUnknownEvent(record) || isNew(record)
  // A smaller id may have been used before the snapshot, for another event.
  if (!singlesOf(record).every(isNew) || !isNew(record)) return false
  // A line that git merged in may repeat one that stands before the snapshot, or be older than what it would overwrite.
  if (record.seq <= elsewhere.maxSeq) return false
  const made = new Set<string>()
  const has = (id: string) => ledger.issues.has(id) || made.has(id)
  return singlesOf(record).every((event) => {
    if (event.seq <= elsewhere.maxSeq) return false
    if (event.type === 'created' && !has(event.issue) && !elsewhere.isKnown(event.issue)) made.add(event.issue)
    return staysWithin(event, has, elsewhere.isHidden)
  })
}

function staysWithin(event: SingleEvent, has: Test, isHidden: Test): boolean {
  if (event.type === 'configured') return true
  // A deleted issue no longer makes the short forms of others longer; these are kept.
  if (event.type === 'compacted' || event.type === 'deleted' || event.type === 'withdrawn') return false
  if (!has(event.issue)) return false
  return depsOf(event).every(({ kind, from, to }) => {
    // The snapshot does not know what an issue that is over is a part of in turn.
    if (kind === 'parent' && !has(from)) return false
    // Links of deleted issues are not shown.
    return [from, to].every((end) => has(end) || !isHidden(end))
  })
}

function depsOf(event: SingleEvent): readonly Dep[] {
  if (event.type === 'created') {
    const blockers = (event.blocked_by ?? []).map((from) => ({ kind: 'blocks' as const, from, to: event.issue }))
    return [...blockers, ...(event.links ?? [])]
  }
  if (event.type !== 'linked' && event.type !== 'unlinked') return []
  return [{ kind: event.kind, from: event.issue, to: event.target }]
}
