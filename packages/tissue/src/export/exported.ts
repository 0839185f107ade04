// What the formats of `export` are made of: issues as they are now, with their comments.

import { sourceStatusName } from '../import/foreign-issue.ts'
import { commentsOf, viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { Comment, Issue } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'

/** An issue on its way out. `deps` are its links to others that are exported, too. */
export type ExportedIssue = Issue & { readonly comments: readonly Comment[] }

/** The issues that are chosen, oldest first. */
export function exportedIssues(ledger: Ledger, isChosen: (id: string) => boolean): ExportedIssue[] {
  const { ids, view } = viewsOf(ledger)
  const chosen = new Set(ids.filter(isChosen))
  return [...chosen].map((id) => {
    const issue = view(id)
    const deps = issue.deps.filter(({ from, to }) => chosen.has(from) && chosen.has(to))
    return { ...issue, deps, comments: commentsOf(ledger, id) }
  })
}

/** When and by whom an issue was first made: elsewhere, if it was imported. */
export function originOf({ meta, created_at, created_by }: ExportedIssue): { at: string; by: string } {
  return { at: meta?.['created_at'] ?? timeText(created_at), by: meta?.['created_by'] ?? created_by }
}

/** What an issue was given by name, without what imports note for themselves. */
export function ownMeta({ meta }: ExportedIssue): [string, string][] {
  const noted = [sourceStatusName, 'created_at', 'created_by']
  return Object.entries(meta ?? {}).filter(([name]) => !noted.includes(name))
}
