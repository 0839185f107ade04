// Counts as lines for people.
import { renderSpan } from '@switchyard/cli-kit/age'
import { inCells } from '@switchyard/cli-kit/cells'
import { padColumn, widest } from '@switchyard/cli-kit/columns'
import { counted } from '@switchyard/cli-kit/counted'
import type { Counts, Stats } from '../schema/view-schemas.ts'

/** One line of counts, and one for each group. */
export function renderStats({ by, groups = [], ...counts }: Stats): string {
  const names = groups.map(({ value }) => inCells(by === 'priority' ? `P${value}` : (value ?? 'none')))
  const width = widest(names)
  const rows = groups.map((group, index) => `  ${padColumn(names[index] ?? '', width)}  ${countsText(group)}`)
  return [countsText(counts), ...rows].join('\n')
}

/** What there is none of is left out, but for the totals. */
function countsText({ total, open, over, ready, blocked, held, overdue, lead_time_ms }: Counts): string {
  const parts = [`${counted(total, 'issue')}: ${open} open, ${over} over`]
  const states = { ready, blocked, held, overdue }
  for (const [name, count] of Object.entries(states)) if (count > 0) parts.push(`${count} ${name}`)
  if (lead_time_ms !== null) parts.push(`closed after ${renderSpan(Math.max(0, Math.floor(lead_time_ms / 1000)))}`)
  return parts.join(', ')
}
