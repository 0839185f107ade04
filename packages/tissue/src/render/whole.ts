// An issue with all that is known of it, for people.
import type { Shown } from '@switchyard/cli-kit'
import { renderAge } from '@switchyard/cli-kit/age'
import { inRow } from '@switchyard/cli-kit/in-row'
import { renderLink } from '../graph/link-text.ts'
import { renderProgress } from '../graph/progress.ts'
import type { BusMessage, Issue } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'
import { fieldLines } from './field-lines.ts'
import { renderGlimpse } from './glimpse.ts'

/** At a terminal a time has how long ago it was beside it. */
type Look = { readonly now: number; readonly isTerminal: boolean }

/** How an issue is shown whole. `now` is milliseconds since 1970. */
export function shownWhole(now: number, isTerminal = false): Shown<Issue> {
  return { text: (issue) => renderIssue(issue, { now, isTerminal }), id: ({ id }) => id }
}

function renderIssue(issue: Issue, look: Look): string {
  const { title, body, comments = [], messages = [] } = issue
  const lines = [title, ...factLines(issue, look), ...claimLines(issue, look), ...linkLines(issue)].map(inRow)
  if (body !== '') lines.push('', body.trimEnd())
  for (const { label, text, isLong } of fieldLines(issue)) if (isLong) lines.push('', `${label}:`, text.trimEnd())
  for (const comment of comments)
    lines.push('', inRow(`${comment.by}, ${timeOf(comment.at, look)}:`), comment.body.trimEnd())
  if (messages.length > 0) lines.push('', ...messageLines(messages, look.now).map(inRow))
  return lines.join('\n')
}

function factLines(issue: Issue, look: Look): string[] {
  const { id, short, status, priority, issue_type, tags, due_at, refs, meta, progress } = issue
  const type = issue_type === 'task' ? '' : `, ${issue_type}`
  const entries = Object.entries(meta ?? {}).map(([key, value]) => `${key}=${value}`)
  const isLate = due_at !== undefined && due_at <= look.now && issue.closed_at === undefined
  const fields = fieldLines(issue).filter(({ isLong }) => !isLong)
  const reason = issue.close_reason === undefined ? '' : `: ${issue.close_reason}`
  return [
    `id        ${id}${short === id ? '' : ` (${short})`}`,
    `status    ${status}, priority ${priority}${type}`,
    ...(progress ? [`parts     ${renderProgress(progress)}`] : []),
    ...(tags.length > 0 ? [`tags      ${tags.join(', ')}`] : []),
    ...fields.map(({ name, label, text }) => {
      const late = name === 'due_at' && isLate ? ', overdue' : ''
      return `${label.padEnd(9)} ${text}${late}`
    }),
    ...(refs ? [`refs      ${refs.join(', ')}`] : []),
    ...(entries.length > 0 ? [`meta      ${entries.join(', ')}`] : []),
    `created   ${timeOf(issue.created_at, look)} by ${issue.created_by}`,
    ...(issue.closed_at === undefined ? [] : [`closed    ${timeOf(issue.closed_at, look)}${reason}`]),
  ]
}

function claimLines({ claim, contested = [], conflicts = [] }: Issue, look: Look): string[] {
  const lines: string[] = []
  if (claim) {
    const state = claim.until > look.now ? 'until' : 'expired'
    lines.push(`claim     ${claim.by} ${state} ${timeText(claim.until)} (${claim.id})`)
    if (claim.leases?.length) lines.push(`leases    ${claim.leases.join(', ')}`)
  }
  for (const { by, since } of contested) lines.push(`contested ${by} claimed it too, ${timeText(since)}, and lost`)
  if (conflicts.length > 0) lines.push(`conflict  ${conflicts.join(', ')}: see tissue list --conflicts`)
  return lines
}

/** Without the titles of the others, as a claim prints it, links are whole ids. */
function linkLines({ id, deps, linked, blocked_by }: Issue): string[] {
  const lines = linked
    ? linked.map((other) => `link      ${other.text} ${renderGlimpse(other)}`)
    : deps.map((dep) => `link      ${renderLink(dep, id)}`)
  return blocked_by.length > 0 ? [...lines, `waits for ${blocked_by.join(', ')}`] : lines
}

function timeOf(at: number, { now, isTerminal }: Look): string {
  return isTerminal ? `${timeText(at)} (${renderAge(at, now)})` : timeText(at)
}

const widthMax = 100

/** One line a message: where, who, how long ago, and how it begins. `now` is milliseconds since 1970. */
function messageLines(messages: readonly BusMessage[], now: number): string[] {
  return messages.map(({ topic, from, at, body }) => {
    const [first = ''] = body.trimStart().split('\n')
    const begin = first.length > widthMax ? `${first.slice(0, widthMax - 1)}…` : first
    return `on the bus ${topic}  ${from}, ${renderAge(at, now)}: ${begin.trimEnd()}`
  })
}
