// Choosing among issues by flags: each stands for a piece of a query, so that flags and `--query` are one rule.

import type { Ledger } from '../log/fold.ts'
import { type Choice, type ChoiceFlags, narrows } from './choice-flags.ts'

/** What a call's flags choose. Exits 2 on a query that cannot be read. Loads nothing when nothing narrows. */
export async function readChoice(flags: ChoiceFlags): Promise<Choice> {
  if (!narrows(flags)) return flags.mine ? chooseMine : () => () => true
  const { choiceOf } = await import('./choice-query.ts')
  return choiceOf(flags)
}

/** What `mine` means as a query, without loading what reads queries: it is asked in every `claim --next`. */
function chooseMine(ledger: Ledger, _now: number, me: () => string): (id: string) => boolean {
  return (id) => {
    const assignee = ledger.issues.get(id)?.fields.assignee?.value ?? null
    return assignee === null || assignee === me()
  }
}
