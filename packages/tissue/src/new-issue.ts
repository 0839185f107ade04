// Making issues: ids, the prefix that the first one fixes, and one event for each.
import { basename } from 'node:path'
import { Failure } from '@switchyard/cli-kit/failure'
import type { Draft } from './draft.ts'
import type { Ledger } from './fold.ts'
import { isTaken } from './issue.ts'
import { makeIssueId, prefixOf } from './issue-id.ts'

/** What an issue starts with. */
export type NewIssue = {
  readonly title: string
  readonly body: string
  readonly priority: number
  readonly tags: readonly string[]
  readonly blockedBy?: readonly string[]
  readonly key?: string | undefined
  readonly finding?: Record<string, unknown>
}

/**
 * The events that create these issues. `base` is the folder that the store belongs to: its name becomes the prefix of
 * the first.
 */
export function draftsOfNew(ledger: Ledger, issues: readonly NewIssue[], base: string, ulid: () => string): Draft[] {
  if (issues.length === 0) return []
  const prefix = ledger.prefix?.value ?? prefixOf(basename(base))
  const drafts: Draft[] = ledger.prefix ? [] : [{ type: 'configured', prefix }]
  const made = new Set<string>()
  for (const issue of issues) {
    const id = makeIssueId(prefix, ulid, (taken) => isTaken(ledger, taken) || made.has(taken))
    made.add(id)
    drafts.push(draftOfNew(id, issue))
  }
  return drafts
}

/** Refuses a title that is empty or has more than one line (exit 2). */
export function checkTitle(title: string): void {
  if (title.trim() !== '' && !/[\r\n]/.test(title)) return
  throw new Failure('usage', `expected a title of one line, got ${JSON.stringify(title)}`, {
    hint: 'put the rest into the body',
  })
}

/** Refuses an empty tag (exit 2). */
export function checkTags(tags: readonly string[]): void {
  if (tags.includes('')) throw new Failure('usage', 'expected a tag, got an empty one')
}

function draftOfNew(id: string, { title, body, priority, tags, blockedBy = [], key, finding }: NewIssue): Draft {
  return {
    type: 'created',
    issue: id,
    title,
    body,
    priority,
    tags: [...new Set(tags)],
    ...(blockedBy.length > 0 ? { blocked_by: [...new Set(blockedBy)] } : {}),
    ...(key === undefined ? {} : { key }),
    ...(finding === undefined ? {} : { finding }),
  }
}
