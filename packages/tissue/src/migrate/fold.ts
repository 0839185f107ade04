// What an original store says in the end: of each issue and link the newest revision, of comments all.

import { type ForeignIssue, type ForeignIssues, titleLine } from '../import/foreign-issue.ts'
import { isoTime } from '../import/foreign-schema.ts'
import { statuses } from '../schema/event.check.ts'
import type { Status } from '../schema/event-schema.ts'
import type { OriginalComment, OriginalDep, OriginalIssue, OriginalRecord } from './record-schema.ts'

const keyPrefix = 'tissue:'
const idPattern = /^[a-z0-9][a-z0-9-]*-[0-9a-z]+$/
const prioritySaid = 2
const noTitle = '(no title)'

/** The issues of a store, and how many comments are of issues that it does not have. */
export type FoldedSource = ForeignIssues & { readonly orphans: number }

/** Folds records in any order. */
export function foldSource(records: readonly OriginalRecord[]): FoldedSource {
  const issues = new Map<string, OriginalIssue>()
  const comments = new Map<string, OriginalComment>()
  const deps = new Map<string, OriginalDep>()
  for (const record of records) {
    if (record.type === 'issue') {
      const known = issues.get(record.id)
      if (known === undefined || isNewer(record, known)) issues.set(record.id, record)
    } else if (record.type === 'comment') {
      if (!comments.has(record.id)) comments.set(record.id, record)
    } else {
      const known = deps.get(linkOf(record))
      if (known === undefined || record.rev >= known.rev) deps.set(linkOf(record), record)
    }
  }
  const commentsOf = groupComments(comments.values())
  return {
    issues: [...issues.values()].sort(byCreation).map((issue) => issueOf(issue, commentsOf.get(issue.id) ?? [])),
    links: [...deps.values()]
      .filter(({ state }) => state === 'active')
      .map(({ kind, src_id, dst_id }) => ({ kind, from: keyPrefix + src_id, to: keyPrefix + dst_id })),
    orphans: [...comments.values()].filter(({ issue_id }) => !issues.has(issue_id)).length,
  }
}

/** Revisions are ULIDs, which sort by time; what they leave open the time of the change decides. */
function isNewer(one: OriginalIssue, other: OriginalIssue): boolean {
  return one.rev === other.rev ? one.updated_at >= other.updated_at : one.rev > other.rev
}

/** A link by its ends; that of `relates` has no direction. */
function linkOf({ kind, src_id, dst_id }: OriginalDep): string {
  const ends = kind === 'relates' ? [src_id, dst_id].sort() : [src_id, dst_id]
  return JSON.stringify([kind, ...ends])
}

function groupComments(comments: Iterable<OriginalComment>): Map<string, OriginalComment[]> {
  const groups = new Map<string, OriginalComment[]>()
  for (const comment of comments) {
    const group = groups.get(comment.issue_id)
    if (group) group.push(comment)
    else groups.set(comment.issue_id, [comment])
  }
  for (const group of groups.values()) group.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
  return groups
}

function byCreation(a: OriginalIssue, b: OriginalIssue): number {
  return a.created_at - b.created_at || (a.id < b.id ? -1 : 1)
}

function issueOf(issue: OriginalIssue, comments: readonly OriginalComment[]): ForeignIssue {
  const { id, title, body, priority, tags, status, created_at, updated_at } = issue
  const canStay = idPattern.test(id)
  return {
    key: keyPrefix + id,
    name: id,
    id: canStay ? id : undefined,
    title: titleLine(title) || noTitle,
    body: body ?? '',
    priority: priority >= 1 && priority <= 5 ? priority : prioritySaid,
    tags: (tags ?? []).filter((tag) => tag !== ''),
    status: statusOf(status),
    sourceStatus: status,
    refs: canStay ? [] : [id],
    meta: Object.fromEntries([['created_at', isoTime(created_at) ?? '']]),
    updatedAt: updated_at,
    comments: comments.map((comment) => ({ id: keyPrefix + comment.id, body: comment.body, at: comment.created_at })),
  }
}

function statusOf(word: string): Status {
  return statuses.find((status) => status === word) ?? 'open'
}
