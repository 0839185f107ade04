// Issues as beads keeps them, one a line.
import type { Dep, DepKind, Status } from '../schema/event-schema.ts'
import { timeText } from '../text/time-text.ts'
import { type ExportedIssue, originOf, ownMeta } from './exported.ts'

const minuteMs = 60_000
const keyPrefix = 'beads:'

/** Statuses that beads does not have under our name. */
const statuses: Readonly<Record<Status, string>> = {
  open: 'open',
  in_progress: 'in_progress',
  paused: 'deferred',
  deferred: 'deferred',
  closed: 'closed',
  duplicate: 'closed',
}

/** Kinds of links; `isReversed` where the issue that a link goes to depends on the other. */
const kinds: Readonly<Record<DepKind, { type: string; isReversed: boolean }>> = {
  blocks: { type: 'blocks', isReversed: true },
  parent: { type: 'parent-child', isReversed: true },
  relates: { type: 'related', isReversed: false },
  'discovered-from': { type: 'discovered-from', isReversed: false },
  duplicates: { type: 'duplicates', isReversed: false },
  supersedes: { type: 'supersedes', isReversed: false },
  'caused-by': { type: 'caused-by', isReversed: false },
}

/** The records of these issues; those that came from beads have their id of there. */
export function beadsRecords(issues: readonly ExportedIssue[]): Record<string, unknown>[] {
  const names = new Map(issues.map((issue) => [issue.id, nameOf(issue)]))
  return issues.map((issue) => recordOf(issue, (id) => names.get(id) ?? id))
}

function nameOf({ id, key }: ExportedIssue): string {
  return key?.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : id
}

function recordOf(issue: ExportedIssue, name: (id: string) => string): Record<string, unknown> {
  const { id, title, body, acceptance, status, priority, issue_type, assignee, estimate_ms, refs = [], meta } = issue
  const { at, by } = originOf(issue)
  const metadata = ownMeta(issue).filter(([entry]) => entry !== 'closed_at')
  return {
    id: name(id),
    title,
    description: body,
    ...(acceptance === undefined ? {} : { acceptance_criteria: acceptance }),
    status: statuses[status],
    priority: priority - 1,
    issue_type,
    ...(assignee === null ? {} : { assignee }),
    ...(estimate_ms === undefined ? {} : { estimated_minutes: Math.round(estimate_ms / minuteMs) }),
    created_at: at,
    created_by: by,
    updated_at: timeText(issue.updated_at),
    ...(issue.closed_at === undefined ? {} : { closed_at: meta?.['closed_at'] ?? timeText(issue.closed_at) }),
    ...(issue.close_reason === undefined ? {} : { close_reason: issue.close_reason }),
    ...(issue.due_at === undefined ? {} : { due_at: timeText(issue.due_at) }),
    ...(issue.defer_until === undefined ? {} : { defer_until: timeText(issue.defer_until) }),
    ...externalRef(refs.filter((ref) => ref !== name(id))),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    ...(issue.tags.length === 0 ? {} : { labels: issue.tags }),
    ...listed(
      'dependencies',
      issue.deps.flatMap((dep) => dependencyOf(dep, id, name, { at, by })),
    ),
    ...listed(
      'comments',
      issue.comments.map((comment, index) => ({
        id: index + 1,
        issue_id: name(id),
        author: comment.by,
        text: comment.body,
        created_at: timeText(comment.at),
      })),
    ),
  }
}

/** beads has room for one. */
function externalRef([ref]: readonly string[]): Record<string, string> {
  return ref === undefined ? {} : { external_ref: ref }
}

function listed(field: string, list: readonly object[]): Record<string, readonly object[]> {
  return list.length === 0 ? {} : { [field]: list }
}

function dependencyOf(
  dep: Dep,
  id: string,
  name: (id: string) => string,
  origin: { at: string; by: string },
): object[] {
  const { type, isReversed } = kinds[dep.kind]
  const [own, other] = isReversed ? [dep.to, dep.from] : [dep.from, dep.to]
  if (own !== id) return []
  return [{ issue_id: name(id), depends_on_id: name(other), type, created_at: origin.at, created_by: origin.by }]
}
