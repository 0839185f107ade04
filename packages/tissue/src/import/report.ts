// What an import made, and what was there before it.
import type { z } from 'zod'
import { findKeyed, isIssueOver, viewsOf } from '../issue/issue.ts'
import type { Ledger } from '../log/fold.ts'
import type { imported, planned } from '../schema/transfer-schemas.ts'

/** One issue that an import made or met. */
export type Imported = Readonly<z.infer<typeof imported>>
/** One issue that an import would make. */
export type Planned = Readonly<z.infer<typeof planned>>

type Done = {
  readonly keys: Iterable<string>
  readonly created: readonly string[]
  readonly changed: ReadonlyMap<string, readonly Imported['changed'][number][]>
}

/** The issues of these keys, those just created and those just changed, each once, oldest first. */
export function reportImport(ledger: Ledger, { keys, created, changed }: Done): Imported[] {
  const views = viewsOf(ledger)
  const made = new Set(created)
  const met = new Set([...keys].flatMap((key) => findKeyed(ledger, key) ?? []))
  return views.ids
    .filter((id) => made.has(id) || met.has(id) || changed.has(id))
    .map((id) => {
      const { short, title, key } = views.view(id)
      return {
        id,
        short,
        title,
        ...(key === undefined ? {} : { key }),
        created: made.has(id),
        closed: isIssueOver(ledger, id),
        changed: [...(changed.get(id) ?? [])],
      }
    })
}

/** What became of the issues that were there before, in a sentence; nothing when there was none. */
export function describeKnown(report: readonly Imported[]): string | undefined {
  const known = report.filter((issue) => !issue.created)
  if (known.length === 0) return undefined
  const counted = (words: string, isMeant: (issue: Imported) => boolean) => {
    const count = known.filter(isMeant).length
    return count === 0 ? [] : [`${count} ${words}`]
  }
  const isMoved = ({ changed }: Imported) => changed.includes('status')
  return [
    `${known.length} already there`,
    ...counted('of them closed and not reopened', (issue) => issue.closed && !isMoved(issue)),
    ...counted('closed now', (issue) => issue.closed && isMoved(issue)),
    ...counted('opened again or moved on', (issue) => !issue.closed && isMoved(issue)),
    ...counted('with new comments or links', ({ changed }) => changed.some((word) => word !== 'status')),
  ].join(', ')
}
