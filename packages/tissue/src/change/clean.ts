// Taking issues away that are over.

import { createdIds, groupDeps, isIssueOver, isOver, readState } from '../issue/issue.ts'
import { asOne, type Draft, type Entry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'

/**
 * Ids of the issues that have been over since before `before` (milliseconds since 1970), oldest first; without those
 * that are the parent or a child of one that is not over: its progress counts them.
 */
export function cleanableIds(ledger: Ledger, before: number): string[] {
  const deps = groupDeps(ledger)
  return createdIds(ledger).filter((id) => {
    const status = readState(ledger, id)?.status
    if (!status || !isOver(status.status) || status.at > before) return false
    const family = (deps.get(id) ?? []).filter(({ kind }) => kind === 'parent')
    return family.every(({ from, to }) => isIssueOver(ledger, from === id ? to : from))
  })
}

/** What deletes these issues, all or none, each as it is now: whoever gives it a status later brings it back. */
export function decideClean(ledger: Ledger, ids: readonly string[]): Entry[] {
  const drafts = ids.flatMap((issue): Draft[] => {
    const status = ledger.issues.get(issue)?.fields.status
    return status ? [{ type: 'deleted', issue, expect: status.id }] : []
  })
  return asOne(drafts)
}
