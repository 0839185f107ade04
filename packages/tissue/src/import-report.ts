// What an import made, and what was there before it.
import type { Ledger } from './fold.ts'
import { findKeyed, isIssueOver, viewsOf } from './issue.ts'

/** One issue that an import made or met. */
export type Imported = {
  readonly id: string
  readonly short: string
  readonly title: string
  readonly key?: string | undefined
  readonly created: boolean
  readonly closed: boolean
}

/** The issues of these keys and those just created, each once, oldest first. */
export function reportImport(ledger: Ledger, keys: readonly string[], created: readonly string[]): Imported[] {
  const views = viewsOf(ledger)
  const made = new Set(created)
  const met = new Set(keys.flatMap((key) => findKeyed(ledger, key) ?? []))
  return views.ids
    .filter((id) => made.has(id) || met.has(id))
    .map((id) => {
      const { short, title, key } = views.view(id)
      return {
        id,
        short,
        title,
        ...(key === undefined ? {} : { key }),
        created: made.has(id),
        closed: isIssueOver(ledger, id),
      }
    })
}
