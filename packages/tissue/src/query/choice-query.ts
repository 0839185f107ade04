// What the flags of a choice mean as a query.

import { viewsOf } from '../issue/issue.ts'
import type { Choice, ChoiceFlags } from './choice-flags.ts'
import { matcherOf } from './match.ts'
import { parseQuery } from './parse.ts'
import { compared, joined, type Query } from './query.ts'
import { worldOf } from './world.ts'

/** The choice that flags stand for. Exits 2 on a query that cannot be read. */
export function choiceOf(flags: ChoiceFlags): Choice {
  const query = queryOfFlags(flags)
  return (ledger, now, me) => {
    const matches = matcherOf(query, worldOf(ledger, now, me))
    const { view } = viewsOf(ledger)
    return (id) => matches(view(id))
  }
}

/** The query that flags stand for. */
export function queryOfFlags({ tag, type, parent, query, mine }: ChoiceFlags): Query {
  return joined('all', [
    ...tag.map((name) => compared('tag', '=', name)),
    ...(type.length > 0 ? [compared('type', '=', ...type)] : []),
    ...(parent === undefined ? [] : [compared('parent', '=', parent)]),
    ...(query === undefined ? [] : [parseQuery(query)]),
    ...(mine ? [compared('assignee', '=', 'me', 'none')] : []),
  ])
}
