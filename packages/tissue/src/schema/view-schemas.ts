// What the verbs that look at issues in other ways print with --json.
import { z } from 'zod'
import { dep, issueId, priority, status, time, title } from './event-schema.ts'

/** An issue as another record names it. */
const glimpse = z.object({
  id: issueId,
  short: issueId,
  title,
  status,
  holder: z.string().nullable().describe('who holds it now'),
})

/** The issue at the other end of a link, as `show` names it. */
export const linkedIssue = glimpse.extend({
  kind: dep.shape.kind,
  text: z.string().describe('what the shown issue is to it: blocks, is blocked by, ...'),
})

const reason = z.object({
  kind: z.enum(['status', 'held', 'deferred', 'blocked', 'parent', 'parts', 'assigned']),
  text: z.string(),
  status: status.optional(),
  by: z.string().optional().describe('who holds it, or whom it is assigned to'),
  until: time.optional(),
  parent: issueId.optional().describe('the issue above it that holds it back'),
  issues: z.array(issueId).optional().describe('what has to be over first'),
})

/** Why an issue is ready or not, as `ready --explain` prints it. */
export const explanation = z.object({
  v: z.literal(1),
  id: issueId,
  short: issueId,
  title,
  priority,
  assignee: z.string().nullable(),
  ready: z.boolean(),
  reasons: z.array(reason).describe('all that stands in the way; none when it is ready'),
})

/** An issue that waits, as `blocked` prints it. */
export const waiting = z.object({
  v: z.literal(1),
  id: issueId,
  short: issueId,
  title,
  status,
  priority,
  blocked_by: z.array(glimpse).describe('what has to be over first; also what a parent waits for'),
  parent: glimpse.optional().describe('the issue above it that is deferred, or waits itself'),
  roots: z
    .array(glimpse)
    .describe('where the waiting begins: what waits for nothing, or is deferred; none in a circle'),
})

const counts = {
  total: z.int(),
  open: z.int().describe('not over'),
  over: z.int(),
  ready: z.int(),
  blocked: z.int(),
  held: z.int(),
  overdue: z.int(),
  lead_time_ms: z.number().nullable().describe('from creation to close, on average of the closed ones'),
}

/** What `stats` prints. */
export const stats = z.object({
  v: z.literal(1),
  ...counts,
  by: z.string().optional().describe('what the groups are'),
  groups: z
    .array(z.object({ value: z.string().nullable(), ...counts }))
    .optional()
    .describe('an issue with several tags is in several; null has none'),
})

/** What `search` prints of each issue. */
export const hit = z.object({
  v: z.literal(1),
  id: issueId,
  short: issueId,
  title,
  status,
  priority,
  score: z.number().describe('the title counts 1, the body 0.5, comments 0.25'),
  place: z.enum(['title', 'body', 'comment']).describe('where the snippet is from'),
  snippet: z.string(),
})

export type LinkedIssue = z.infer<typeof linkedIssue>
export type Glimpse = z.infer<typeof glimpse>
export type Explanation = z.infer<typeof explanation>
export type ExplainedReason = z.infer<typeof reason>
export type Waiting = z.infer<typeof waiting>
export type Stats = z.infer<typeof stats>
export type Counts = Omit<Stats, 'v' | 'by' | 'groups'>
export type Hit = z.infer<typeof hit>
