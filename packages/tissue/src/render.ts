// Issues as lines for people.
import type { Output, Shown } from '@switchyard/cli-kit'
import { renderLink } from './link-text.ts'
import { messageLines } from './message-lines.ts'
import type { Issue } from './schemas.ts'
import { timeText } from './time-text.ts'

/** How a verb that changes an issue shows it: its id, whole, so that a script can keep it. */
export const shownId: Shown<Issue> = { text: ({ id }) => id, id: ({ id }) => id }

/** How a claim that was kept is shown: by its new end. */
export const shownUntil: Shown<Issue> = {
  text: ({ id, claim }) => `${id}  until ${timeText(claim?.until ?? 0)}`,
  id: ({ id }) => id,
}

/** How a list shows issues: one line each, in columns at a terminal. `now` is milliseconds since 1970. */
export async function shownRows(
  { isTerminal }: Pick<Output, 'isTerminal'>,
  issues: readonly Issue[],
  now: number,
): Promise<Shown<Issue>> {
  const id = (issue: Issue) => issue.id
  if (!isTerminal) return { text: (issue) => renderRow(issue, now), id }
  const { columnsOf } = await import('./render-columns.ts')
  return { text: columnsOf(issues, now), id }
}

/** How an issue is shown whole. */
export function shownWhole(now: number): Shown<Issue> {
  return { text: (issue) => renderIssue(issue, now), id: ({ id }) => id }
}

/** `auth-k3vd  P2  open  Fix login  [sso]  @ada`; a type that is not `task` stands before the status. */
export function renderRow(issue: Issue, now: number): string {
  const { short, priority, issue_type, status, title } = issue
  const type = issue_type === 'task' ? [] : [issue_type]
  return [short, `P${priority}`, ...type, status, oneLine(title), ...marksOf(issue, now)].join('  ')
}

/** What stands behind a title: tags, who it is meant for, who holds it, and how many others it waits for. */
export function marksOf({ tags, assignee, claim, blocked_by, conflicts = [] }: Issue, now: number): string[] {
  return [
    ...(tags.length > 0 ? [`[${tags.join(', ')}]`] : []),
    ...(assignee !== null && assignee !== claim?.by ? [`for ${assignee}`] : []),
    ...(claim ? [`@${claim.by}${claim.until > now ? '' : ' (expired)'}`] : []),
    ...(blocked_by.length > 0 ? [`blocked by ${blocked_by.length}`] : []),
    ...(conflicts.length > 0 ? ['in conflict'] : []),
  ]
}

/** A title as it stands in a line: a row is one line, whatever the title has in it. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function renderIssue(issue: Issue, now: number): string {
  const { id, short, title, status, priority, tags, body, claim, contested = [], comments = [] } = issue
  const lines = [
    title,
    `id        ${id}${short === id ? '' : ` (${short})`}`,
    `status    ${status}, priority ${priority}`,
  ]
  if (tags.length > 0) lines.push(`tags      ${tags.join(', ')}`)
  lines.push(`created   ${timeText(issue.created_at)} by ${issue.created_by}`)
  if (issue.closed_at !== undefined)
    lines.push(`closed    ${timeText(issue.closed_at)}${reasonText(issue.close_reason)}`)
  if (claim) {
    const state = claim.until > now ? 'until' : 'expired'
    lines.push(`claim     ${claim.by} ${state} ${timeText(claim.until)} (${claim.id})`)
  }
  for (const { by, since } of contested) lines.push(`contested ${by} claimed it too, ${timeText(since)}, and lost`)
  for (const dep of issue.deps) lines.push(`link      ${renderLink(dep, id)}`)
  if (issue.blocked_by.length > 0) lines.push(`waits for ${issue.blocked_by.join(', ')}`)
  if (body !== '') lines.push('', body.trimEnd())
  for (const comment of comments) lines.push('', `${comment.by}, ${timeText(comment.at)}:`, comment.body.trimEnd())
  if (issue.messages?.length) lines.push('', ...messageLines(issue.messages, now))
  return lines.join('\n')
}

function reasonText(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`
}
