// The records of tissue as zod knows them. Hot verbs import the types only: `src/guard.ts` checks the same by hand,
// and a test holds the two together.
import { z } from 'zod'

/** Largest sequence number a reader takes; far above any honest log, far below where adding one stops working. */
const seqMax = 2 ** 52

const issueId = z.string().regex(/^[a-z0-9][a-z0-9-]*-[0-9a-z]+$/)
const time = z.int().min(0).describe('milliseconds since 1970')
const priority = z.int().min(1).max(5).describe('1 is the most urgent')
const title = z.string().min(1)
const tag = z.string().min(1)
const anyObject = z.record(z.string(), z.unknown())

const status = z.enum(['open', 'in_progress', 'paused', 'deferred', 'closed', 'duplicate'])
const depKind = z.enum(['blocks', 'relates', 'parent'])

const envelope = {
  v: z.literal(1),
  id: z.string().min(1).describe('ULID of the event: identity, not order'),
  seq: z.int().min(0).max(seqMax).describe('one above the largest the writer had seen'),
  at: time,
  by: z.string().min(1).describe('name of the agent'),
}
const onIssue = { ...envelope, issue: issueId }
const fence = z
  .string()
  .optional()
  .describe('claim under which the writer acts; the event is void when another is current')

const configured = z.object({ ...envelope, type: z.literal('configured'), prefix: z.string().min(1) })
const created = z.object({
  ...onIssue,
  type: z.literal('created'),
  title,
  body: z.string(),
  priority,
  tags: z.array(tag),
  blocked_by: z.array(issueId).optional(),
  key: z.string().min(1).optional(),
  finding: anyObject.optional(),
})
const edited = z.object({
  ...onIssue,
  type: z.literal('edited'),
  title: title.optional(),
  body: z.string().optional(),
  priority: priority.optional(),
})
const changed = z.object({ ...onIssue, type: z.literal('status'), status, fence })
const closed = z.object({ ...onIssue, type: z.literal('closed'), reason: z.string().optional(), fence })
const commented = z.object({ ...onIssue, type: z.literal('commented'), body: z.string() })
const tagged = z.object({ ...onIssue, type: z.literal('tagged'), tag })
const untagged = z.object({ ...onIssue, type: z.literal('untagged'), tag })
const linked = z.object({ ...onIssue, type: z.literal('linked'), kind: depKind, target: issueId })
const unlinked = z.object({ ...onIssue, type: z.literal('unlinked'), kind: depKind, target: issueId })
const claimed = z.object({
  ...onIssue,
  type: z.literal('claimed'),
  until: time,
  expect: z
    .string()
    .nullable()
    .describe('the newest event of the claim it replaces or renews; null when there was none'),
  renews: z.string().optional().describe('id of the claim that goes on with a later end'),
})
const released = z.object({ ...onIssue, type: z.literal('released'), expect: z.string(), note: z.string().optional() })

/** Every event that this version understands. Others are kept and passed over. */
export const knownEvent = z.discriminatedUnion('type', [
  configured,
  created,
  edited,
  changed,
  closed,
  commented,
  tagged,
  untagged,
  linked,
  unlinked,
  claimed,
  released,
])

/** An event of a later version: its envelope is known, its meaning is not. */
export const unknownEvent = z.object({ ...envelope, type: z.string() })

const claim = z.object({
  id: z.string().describe('the fence: the same from the claim through its renewals, another after a take-over'),
  by: z.string(),
  since: time,
  until: time,
})
const dep = z.object({ kind: depKind, from: issueId, to: issueId })
const comment = z.object({ id: z.string(), at: time, by: z.string(), body: z.string() })

/** An issue as every verb prints it with --json. */
export const issue = z.object({
  v: z.literal(1),
  id: issueId,
  short: issueId.describe('shortest form that names it in this store today'),
  title,
  body: z.string(),
  status,
  priority,
  tags: z.array(tag),
  created_at: time,
  created_by: z.string(),
  updated_at: time,
  closed_at: time.optional(),
  close_reason: z.string().optional(),
  claim: claim.nullable(),
  contested: z.array(claim).optional().describe('claims that lost to the current one when two clones were merged'),
  blocked_by: z.array(issueId).describe('issues still to be closed before this one is ready'),
  blocks: z.array(issueId).describe('issues that wait for this one'),
  deps: z.array(dep).describe('every link, also to closed issues'),
  comments: z.array(comment).optional().describe('only from show'),
  key: z.string().optional(),
  finding: anyObject.optional(),
})

/** A finding of `deepscan` as `import` reads it; further fields are kept. */
export const finding = z.object({
  v: z.literal(1),
  type: z.literal('finding'),
  id: z.string().min(1),
  rule: tag,
  title,
  severity: z.enum(['low', 'medium', 'high']),
  path: z.string().min(1),
  line: z.int().min(1),
  column: z.int().min(1).optional(),
  message: z.string().optional(),
  quote: z.string().optional(),
})

export type KnownEvent = z.infer<typeof knownEvent>
export type UnknownEvent = z.infer<typeof unknownEvent>
export type Issue = z.infer<typeof issue>
export type Claim = z.infer<typeof claim>
export type Dep = z.infer<typeof dep>
export type Comment = z.infer<typeof comment>
export type Finding = z.infer<typeof finding>
export type Status = z.infer<typeof status>
export type DepKind = z.infer<typeof depKind>

/** What `tissue schema` prints. Fields that are not listed may be there: readers keep them. */
export const schemas = {
  issue: z.toJSONSchema(issue, { io: 'input' }),
  event: z.toJSONSchema(knownEvent, { io: 'input' }),
  finding: z.toJSONSchema(finding, { io: 'input' }),
}
