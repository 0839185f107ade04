// What a migration did, or would do.
import type { z } from 'zod'
import { renderLink } from '../graph/link-text.ts'
import type { ForeignDecision } from '../import/decide-foreign.ts'
import { draftsOf } from '../log/draft.ts'
import type { migration } from '../schema/transfer-schemas.ts'
import type { FoldedSource } from './fold.ts'
import type { Damage } from './source.ts'

/** What `migrate --json` prints. */
export type Migration = Readonly<z.infer<typeof migration>>

type Done = {
  readonly file: string
  readonly source: FoldedSource
  readonly damaged: readonly Damage[]
  readonly created: readonly string[]
  readonly isDry: boolean
}

/** The report of a decision on what a source has. */
export function reportMigration(decision: ForeignDecision, { file, source, damaged, created, isDry }: Done): Migration {
  const drafts = draftsOf(decision.entries)
  const linksIn = drafts.map((draft) =>
    draft.type === 'created' ? (draft.links?.length ?? 0) : Number(draft.type === 'linked'),
  )
  return {
    v: 1,
    source: file,
    dry_run: isDry,
    created: [...created],
    issues: decision.made.length,
    present: source.issues.length - decision.made.length,
    changed: decision.changed.size,
    comments: drafts.filter(({ type }) => type === 'commented').length,
    links: linksIn.reduce((sum, count) => sum + count, 0),
    left_out: {
      comments: source.orphans,
      links: decision.lost.map(({ kind, from, to }) => renderLink({ kind, from: idOf(from), to: idOf(to) })),
    },
    damaged: [...damaged],
  }
}

function idOf(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}
