import { defineVerb } from '@switchyard/cli-kit'
import { renderSpan } from '@switchyard/cli-kit/age'
import { inCells } from '@switchyard/cli-kit/cells'
import { counted } from '@switchyard/cli-kit/counted'
import { inColumns } from '@switchyard/cli-kit/table'
import { viewsOf } from '../issue/issue.ts'
import { choiceFlags } from '../query/choice-flags.ts'
import { queryOfFlags } from '../query/choice-query.ts'
import { matcherOf } from '../query/match.ts'
import { worldOf } from '../query/world.ts'
import type { Counts, Stats } from '../schema/view-schemas.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { countIssues, groupings } from '../view/stats.ts'

/**
 * `tissue stats`: how many issues there are, of all or of those that fit; --quiet prints the one number, or with --by
 * what the groups are called.
 */
export const stats = defineVerb({
  summary: 'Count issues, those that are over too',
  flags: {
    by: { type: 'choice', choices: groupings, summary: 'Count each group by itself, too; --quiet prints their names' },
    ...choiceFlags,
    ...authorFlags,
  },
  examples: ['tissue stats', 'tissue stats --by assignee', "tissue stats --query 'tag:auth status:open' --quiet"],
  run(call) {
    const { flags, output } = call
    const query = queryOfFlags(flags)
    const { ledger } = look(call)
    const world = worldOf(ledger, call.now(), () => nameOf(call))
    const views = viewsOf(ledger)
    const issues = views.ids.map(views.view).filter(matcherOf(query, world))
    output.one(countIssues(issues, world, flags.by), { text: renderStats, id: idsOf })
    return undefined
  },
})

/** The number for a script, or the names of the groups; issues without any are in none. */
function idsOf({ total, groups }: Stats): string | string[] {
  return groups === undefined ? String(total) : groups.flatMap(({ value }) => value ?? [])
}

/** One line of counts, and one for each group. */
function renderStats({ by, groups = [], ...counts }: Stats): string {
  const nameOfGroup = ({ value }: (typeof groups)[number]) =>
    inCells(by === 'priority' ? `P${value}` : (value ?? 'none'))
  const rows = groups.map(inColumns(groups, [{ text: nameOfGroup }, { text: countsText }]))
  return [countsText(counts), ...rows.map((row) => `  ${row}`)].join('\n')
}

/** What there is none of is left out, but for the totals. */
function countsText({ total, open, over, ready, blocked, held, overdue, lead_time_ms }: Counts): string {
  const parts = [`${counted(total, 'issue')}: ${open} open, ${over} over`]
  const states = { ready, blocked, held, overdue }
  for (const [name, count] of Object.entries(states)) if (count > 0) parts.push(`${count} ${name}`)
  if (lead_time_ms !== null) parts.push(`closed after ${renderSpan(Math.max(0, Math.floor(lead_time_ms / 1000)))}`)
  return parts.join(', ')
}
