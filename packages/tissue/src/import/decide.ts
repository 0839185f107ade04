// One decision for whatever an import brings, and what people are told about it.

import type { IdSource } from '../change/new-issue.ts'
import type { NewEntry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { type ChangedWord, decideForeign } from './decide-foreign.ts'
import type { ForeignLink } from './foreign-issue.ts'
import { decideImport, keyOf } from './incoming.ts'
import { decideMissing } from './missing.ts'
import type { Brought } from './read.ts'
import type { Planned } from './report.ts'

/** Whether issues of findings that did not come again are closed, and of which files and folders. */
export type Closing = { readonly isWanted: boolean; readonly within: readonly string[]; readonly now: number }

/** What an import does to the log: `changed` says by id which words follow, `held` who is left alone. */
export type Decision = {
  readonly entries: readonly NewEntry[]
  readonly planned: readonly Planned[]
  readonly changed: ReadonlyMap<string, readonly ChangedWord[]>
  readonly held: readonly string[]
  readonly lost: readonly ForeignLink[]
}

/** Decides on an import. `texts` leads from event ids to the lines in the log. */
export function decideBrought(
  ledger: Ledger,
  brought: Brought,
  texts: ReadonlyMap<string, string>,
  { source, closing }: { source: IdSource; closing: Closing },
): Decision {
  if (brought.kind === 'foreign') {
    const { entries, made, changed, lost } = decideForeign(ledger, brought.incoming, source)
    const planned = made.map(({ title, key, priority }) => ({ title, key, priority }))
    return { entries, planned, changed, lost, held: [] }
  }
  const own = decideImport(ledger, brought.incoming, texts, source)
  const missing = closing.isWanted ? decideMissing(ledger, keysOf(brought), closing.within, closing.now) : undefined
  const entries = [...own, ...(missing?.drafts ?? [])]
  const changed = new Map<string, ChangedWord[]>()
  for (const entry of entries) {
    if (!('line' in entry) && (entry.type === 'closed' || entry.type === 'status')) changed.set(entry.issue, ['status'])
  }
  return { entries, planned: own.flatMap(plannedIn), changed, lost: [], held: missing?.held ?? [] }
}

/** The idempotency keys of what is brought. */
export function keysOf(brought: Brought): Set<string> {
  return new Set(
    brought.kind === 'own' ? brought.incoming.findings.map(keyOf) : brought.incoming.issues.map(({ key }) => key),
  )
}

function plannedIn(entry: NewEntry): Planned[] {
  if ('line' in entry || entry.type !== 'created') return []
  const { title, key, priority } = entry
  return [{ title, priority, ...(key === undefined ? {} : { key }) }]
}
