// Issues as beads keeps them: one a line, with what it depends on, its labels and its comments.
import { isTooDeep, parseRecord } from '@switchyard/jsonl'
import { z } from 'zod'
import type { DepKind, Status } from '../schema/event-schema.ts'
import type { Faults } from '../text/faults.ts'
import { refuseConflict } from './conflict-marker.ts'
import { type ForeignIssue, type ForeignLink, filledMeta, titleLine, typeWord } from './foreign-issue.ts'
import { isoTime, maybeList, maybeText, maybeTime, schemaFault } from './foreign-schema.ts'

const minuteMs = 60_000
const keyPrefix = 'beads:'
const priorityMissing = 2

const dependency = z.looseObject({
  issue_id: z.string().nullish(),
  depends_on_id: z.string().min(1),
  type: z.string().nullish(),
})
const comment = z.looseObject({
  id: z.union([z.int(), z.string()]).nullish(),
  author: maybeText,
  text: z.string(),
  created_at: maybeTime,
})
const bead = z.looseObject({
  id: z.string().min(1),
  title: z.string().refine((text) => titleLine(text) !== '', 'expected a title'),
  description: maybeText,
  design: maybeText,
  acceptance_criteria: maybeText,
  notes: maybeText,
  status: maybeText,
  priority: z.int().min(0).max(4).nullish(),
  issue_type: maybeText,
  assignee: maybeText,
  owner: maybeText,
  estimated_minutes: z
    .int()
    .min(0)
    .max(2 ** 31)
    .nullish(),
  created_at: maybeTime,
  created_by: maybeText,
  updated_at: maybeTime,
  closed_at: maybeTime,
  close_reason: maybeText,
  due_at: maybeTime,
  defer_until: maybeTime,
  external_ref: maybeText,
  delete_reason: maybeText,
  metadata: z.unknown().optional(),
  labels: maybeList(z.string()),
  dependencies: maybeList(dependency),
  comments: maybeList(comment),
})
type Bead = z.infer<typeof bead>

/** Statuses of beads that are not ours; what waits says so by its links. Any other word is open. */
const statuses: Readonly<Record<string, Status>> = {
  closed: 'closed',
  tombstone: 'closed',
  in_progress: 'in_progress',
  inprogress: 'in_progress',
  hooked: 'in_progress',
  deferred: 'deferred',
  draft: 'deferred',
}

/** Kinds of links; `isReversed` where the issue depended on comes first. Any other kind relates. */
const kinds: Readonly<Record<string, { kind: DepKind; isReversed: boolean }>> = {
  blocks: { kind: 'blocks', isReversed: true },
  'conditional-blocks': { kind: 'blocks', isReversed: true },
  'waits-for': { kind: 'blocks', isReversed: true },
  'parent-child': { kind: 'parent', isReversed: true },
  'discovered-from': { kind: 'discovered-from', isReversed: false },
  duplicates: { kind: 'duplicates', isReversed: false },
  supersedes: { kind: 'supersedes', isReversed: false },
  'caused-by': { kind: 'caused-by', isReversed: false },
}

/** Whether a parsed line looks like one of beads. */
export function isBead(record: Readonly<Record<string, unknown>>): boolean {
  const { id, title, v, type, rev } = record
  return (
    typeof id === 'string' && typeof title === 'string' && v === undefined && type === undefined && rev === undefined
  )
}

/** The issues of a beads log. Fails as `corrupt`, naming the line, where version control left a conflict in it. */
export function parseBeads(lines: readonly string[], faults: Faults) {
  const issues: ForeignIssue[] = []
  const links: ForeignLink[] = []
  lines.forEach((line, index) => {
    if (line.trim() === '') return
    refuseConflict(line, index + 1)
    const parsed = bead.safeParse(isTooDeep(line) ? undefined : parseRecord({ text: line }))
    if (!parsed.success) {
      faults.add(`line ${index + 1} ${schemaFault(parsed.error)}`)
      return
    }
    issues.push(issueOf(parsed.data))
    for (const link of linksOf(parsed.data)) links.push(link)
  })
  return { issues, links }
}

function issueOf(one: Bead): ForeignIssue {
  const sourceStatus = (one.status ?? 'open').toLowerCase()
  return {
    key: keyPrefix + one.id,
    name: one.id,
    title: titleLine(one.title),
    body: bodyOf(one),
    priority: (one.priority ?? priorityMissing) + 1,
    tags: one.labels.filter((label) => label !== ''),
    status: Object.hasOwn(statuses, sourceStatus) ? (statuses[sourceStatus] ?? 'open') : 'open',
    sourceStatus,
    isGone: sourceStatus === 'tombstone',
    reason:
      one.close_reason ?? (sourceStatus === 'tombstone' ? `deleted: ${one.delete_reason ?? ''}`.trim() : undefined),
    issueType: typeWord(one.issue_type),
    assignee: one.assignee,
    acceptance: one.acceptance_criteria,
    refs: [one.id, ...(one.external_ref === undefined ? [] : [one.external_ref])],
    meta: filledMeta([
      ...metadataOf(one.metadata),
      ['created_at', isoTime(one.created_at)],
      ['created_by', one.created_by],
      ['closed_at', isoTime(one.closed_at)],
      ['owner', one.owner],
    ]),
    defer_until: one.defer_until,
    due_at: one.due_at,
    estimate_ms: one.estimated_minutes == null ? undefined : one.estimated_minutes * minuteMs,
    updatedAt: one.updated_at,
    comments: one.comments.map(({ id, author, text, created_at }, index) => ({
      id: `${keyPrefix}${one.id}/${id ?? index}`,
      body: text,
      by: author,
      at: created_at,
    })),
  }
}

/** beads has three more texts; they come behind the description, under their names. */
function bodyOf({ description, design, notes }: Bead): string {
  const parts = [description, design && `## Design\n\n${design}`, notes && `## Notes\n\n${notes}`]
  return parts.filter((part) => part !== undefined).join('\n\n')
}

function metadataOf(metadata: unknown): [string, string][] {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return []
  return Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  ])
}

function linksOf({ id, dependencies }: Bead): ForeignLink[] {
  return dependencies.map(({ depends_on_id, type }) => {
    const word = (type ?? 'blocks').toLowerCase()
    const { kind, isReversed } = (Object.hasOwn(kinds, word) ? kinds[word] : undefined) ?? {
      kind: 'relates',
      isReversed: false,
    }
    const [here, there] = [keyPrefix + id, keyPrefix + depends_on_id]
    return isReversed ? { kind, from: there, to: here } : { kind, from: here, to: there }
  })
}
