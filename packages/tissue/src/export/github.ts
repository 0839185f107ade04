// Issues as `gh issue list --json ...` prints them.
import type { Status } from '../schema/event-schema.ts'
import { timeText } from '../text/time-text.ts'
import { type ExportedIssue, originOf } from './exported.ts'

const keyPattern = /^github:(.*)#(\d{1,9})$/

const reasons: Readonly<Partial<Record<Status, string>>> = { closed: 'COMPLETED', duplicate: 'DUPLICATE' }

/** The records of these issues; those that came from GitHub have their number of there, the others follow. */
export function githubRecords(issues: readonly ExportedIssue[]): Record<string, unknown>[] {
  const known = issues.map(({ key }) => keyPattern.exec(key ?? ''))
  let last = known.reduce((largest, found) => Math.max(largest, Number(found?.[2] ?? 0)), 0)
  return issues.map((issue, index) => {
    const [, repository = '', number] = known[index] ?? []
    if (number === undefined) last += 1
    return recordOf(issue, number === undefined ? last : Number(number), repository)
  })
}

function recordOf(issue: ExportedIssue, number: number, repository: string): Record<string, unknown> {
  const { at, by } = originOf(issue)
  const { assignee, meta, closed_at, status } = issue
  const others = (meta?.['assignees'] ?? '').split(', ').filter((login) => login !== '')
  const isNotPlanned = issue.close_reason === 'not planned'
  return {
    number,
    title: issue.title,
    body: issue.body,
    state: closed_at === undefined ? 'OPEN' : 'CLOSED',
    stateReason: isNotPlanned ? 'NOT_PLANNED' : (reasons[status] ?? ''),
    labels: issue.tags.map((name) => ({ name })),
    assignees: [...(assignee === null ? [] : [assignee]), ...others].map((login) => ({ login })),
    author: { login: by },
    milestone: meta?.['milestone'] === undefined ? null : { title: meta['milestone'] },
    comments: issue.comments.map((comment) => ({
      id: comment.origin?.replace(/^github:/, '') ?? comment.id,
      author: { login: comment.by },
      body: comment.body,
      createdAt: timeText(comment.at),
    })),
    createdAt: at,
    updatedAt: timeText(issue.updated_at),
    closedAt: closed_at === undefined ? null : (meta?.['closed_at'] ?? timeText(closed_at)),
    ...(repository === '' ? {} : { url: `https://github.com/${repository}/issues/${number}` }),
  }
}
