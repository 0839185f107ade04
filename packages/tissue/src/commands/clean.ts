import { defineVerb } from '@switchyard/cli-kit'
import { createdIds, groupDeps, isIssueOver, isOver, readState, viewsOf } from '../issue/issue.ts'
import { asOne, type Draft, type NewEntry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { shownRows } from '../render/issue-line.ts'
import type { Issue } from '../schema/schemas.ts'
import { authorFlags, change, look } from '../session/session.ts'

/** `tissue clean`: lists the issues that have been over for long, and with `--force` deletes them. */
export const clean = defineVerb({
  summary: 'List issues that have long been over; --force deletes them',
  flags: {
    'older-than': { type: 'duration', default: '30d', summary: 'Only those that were closed this long ago' },
    force: { type: 'boolean', summary: 'Delete them' },
    ...authorFlags,
  },
  examples: ['tissue clean', 'tissue clean --older-than 90d --force'],
  async run(call) {
    const { flags, output } = call
    const now = call.now()
    const before = now - flags['older-than']
    let found: Issue[] = []
    const find = (ledger: Ledger) => {
      const ids = cleanableIds(ledger, before)
      // The last ledger that still has them.
      found = ids.map(viewsOf(ledger).view)
      return ids
    }
    if (flags.force) await change(call, (ledger) => decideClean(ledger, find(ledger)))
    else find(look(call).ledger)
    output.list(found, { ...(await shownRows(output, found, now)), empty: 'nothing to clean' })
    if (!flags.force && found.length > 0) output.note('nothing was deleted; --force deletes these')
    return undefined
  },
})

/**
 * Ids of the issues that have been over since before `before` (milliseconds since 1970), oldest first; without those
 * that are the parent or a child of one that is not over: its progress counts them.
 */
function cleanableIds(ledger: Ledger, before: number): string[] {
  const deps = groupDeps(ledger)
  return createdIds(ledger).filter((id) => {
    const status = readState(ledger, id)?.status
    if (!status || !isOver(status.status) || status.at > before) return false
    const family = (deps.get(id) ?? []).filter(({ kind }) => kind === 'parent')
    return family.every(({ from, to }) => isIssueOver(ledger, from === id ? to : from))
  })
}

/** What deletes these issues, all or none, each as it is now: whoever gives it a status later brings it back. */
function decideClean(ledger: Ledger, ids: readonly string[]): NewEntry[] {
  const drafts = ids.flatMap((issue): Draft[] => {
    const status = ledger.issues.get(issue)?.fields.status
    return status ? [{ type: 'deleted', issue, expect: status.id }] : []
  })
  return asOne(drafts)
}
