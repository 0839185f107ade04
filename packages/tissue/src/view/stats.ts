// Counting issues.
import { isOver } from '../issue/issue.ts'
import type { QueryWorld } from '../query/match.ts'
import type { Issue } from '../schema/schemas.ts'
import type { Counts, Stats } from '../schema/view-schemas.ts'

/** What issues can be grouped by. */
export const groupings = ['status', 'type', 'tag', 'assignee', 'holder', 'priority'] as const
export type Grouping = (typeof groupings)[number]

/** Counts issues, all together and by group; the largest group first. */
export function countIssues(issues: readonly Issue[], world: QueryWorld, by: Grouping | undefined): Stats {
  const total = countsOf(issues, world)
  if (by === undefined) return { v: 1, ...total }
  const groups = new Map<string | null, Issue[]>()
  for (const issue of issues) {
    for (const value of valuesOf(issue, by, world.now)) {
      const group = groups.get(value)
      if (group) group.push(issue)
      else groups.set(value, [issue])
    }
  }
  const counted = [...groups].map(([value, members]) => ({ value, ...countsOf(members, world) }))
  return { v: 1, ...total, by, groups: counted.sort((a, b) => b.total - a.total || (textOf(a) < textOf(b) ? -1 : 1)) }
}

function textOf({ value }: { value: string | null }): string {
  return value ?? ''
}

function valuesOf(issue: Issue, by: Grouping, now: number): (string | null)[] {
  switch (by) {
    case 'status':
      return [issue.status]
    case 'type':
      return [issue.issue_type]
    case 'tag':
      return issue.tags.length > 0 ? issue.tags : [null]
    case 'assignee':
      return [issue.assignee]
    case 'holder':
      return [issue.claim && issue.claim.until > now ? issue.claim.by : null]
    case 'priority':
      return [String(issue.priority)]
  }
}

function countsOf(issues: readonly Issue[], { now, isReady, isBlocked }: QueryWorld): Counts {
  const open = issues.filter(({ status }) => !isOver(status))
  const leads = issues.flatMap(({ status, created_at, closed_at }) => {
    return status === 'closed' && closed_at !== undefined ? [closed_at - created_at] : []
  })
  return {
    total: issues.length,
    open: open.length,
    over: issues.length - open.length,
    ready: open.filter(isReady).length,
    blocked: open.filter(isBlocked).length,
    held: open.filter(({ claim }) => claim !== null && claim.until > now).length,
    overdue: open.filter(({ due_at }) => due_at !== undefined && due_at <= now).length,
    lead_time_ms: leads.length === 0 ? null : Math.round(leads.reduce((sum, lead) => sum + lead, 0) / leads.length),
  }
}
