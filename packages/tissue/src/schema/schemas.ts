// The records of tissue that are not events. What a verb prints with --json is here, what stands on disk in
// `event-schema.ts`.
import { z } from 'zod'
import { act } from './act-schema.ts'
import {
  anyObject,
  dep,
  issueId,
  issueType,
  knownEvent,
  optionalShape,
  priority,
  status,
  tag,
  time,
  title,
} from './event-schema.ts'
import { optionalFields } from './fields.ts'
import { circle, link, page, progress, tree } from './graph-schemas.ts'
import { plan } from './plan-schema.ts'
import { diagnosisSchema, madeSchema, primerSchema, reportSchema, storeSchema } from './report-schemas.ts'
import { exported, imported, migration, planned } from './transfer-schemas.ts'
import { explanation, hit, linkedIssue, stats, waiting } from './view-schemas.ts'

const claim = z.object({
  id: z.string().describe('the fence: the same from the claim through its renewals, another after a take-over'),
  by: z.string(),
  since: time,
  until: time,
  leases: z.array(z.string()).optional().describe('paths leased on the bus with it'),
})
const comment = z.object({
  id: z.string(),
  at: time,
  by: z.string(),
  body: z.string(),
  origin: z.string().optional().describe('its id where it was imported from; at and by are of there, too'),
})

const busMessage = z.object({
  topic: z.string(),
  id: z.string(),
  at: time,
  from: z.string(),
  body: z.string().describe('the text; its first part only when it is long'),
})

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
  issue_type: issueType,
  ...optionalShape(optionalFields),
  assignee: z.string().nullable().describe('who it is meant for; the holder is in claim'),
  defer_until: time.optional().describe('not ready before'),
  estimate_ms: z.int().min(0).optional().describe('milliseconds of work'),
  refs: z.array(z.string()).optional(),
  meta: z.record(z.string(), z.string()).optional(),
  created_at: time,
  created_by: z.string(),
  updated_at: time,
  rev: z.string().describe('id of the newest event of this issue: for edit --if-rev'),
  closed_at: time.optional(),
  close_reason: z.string().optional(),
  claim: claim.nullable(),
  contested: z
    .array(claim)
    .optional()
    .describe('claims of other clones, which lost to the current one when their logs were joined'),
  conflicts: z
    .array(z.string())
    .optional()
    .describe('fields that two clones changed without seeing each other; tissue list --conflicts shows both sides'),
  blocked_by: z
    .array(issueId)
    .describe('issues still to be closed before this one is ready; those that block its parent too'),
  blocks: z.array(issueId).describe('issues that wait for this one'),
  deps: z.array(dep).describe('every link, also to closed issues'),
  comments: z.array(comment).optional().describe('only from show'),
  linked: z.array(linkedIssue).optional().describe('only from show: the issue at the other end of each link'),
  progress: progress.optional().describe('only from show, of an issue with parts'),
  messages: z
    .array(busMessage)
    .optional()
    .describe('only from show, and only where there is a bus: the newest on it that refer to the issue'),
  key: z.string().optional(),
  finding: anyObject.optional(),
})

/** What became of an issue that was to be made: each of a plan, or one of a dry run. */
export const made = z.object({
  v: z.literal(1),
  name: z.string().optional().describe('what the plan calls it'),
  id: issueId.optional().describe('not there for one that a dry run would make'),
  short: issueId.optional(),
  title,
  key: z.string().optional(),
  created: z.boolean().describe('false: it was there already under its key'),
})

/** What became of one act of a batch. */
export const acted = z.object({
  v: z.literal(1),
  line: z.int().min(1),
  verb: z.string(),
  id: issueId.optional().describe('the issue it was about; not there for one that a dry run would make'),
  name: z.string().optional().describe('of a new issue: what later lines call it'),
  comment: z.string().optional().describe('of a comment: its id'),
  changed: z.boolean().describe('false: all was as asked already'),
})

/** A setting as `config` prints it. */
export const setting = z.object({
  v: z.literal(1),
  name: z.string(),
  value: z.string(),
  origin: z.enum(['store', 'default']).describe('store: it was set with config, init, or by the first issue'),
  default: z.string().describe('the value without being set'),
  summary: z.string(),
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

/** What two clones wrote without having seen each other, as `list --conflicts` prints it. */
export const conflict = z.object({
  v: z.literal(1),
  issue: issueId,
  short: issueId,
  title,
  field: z.string().describe('name of the field, meta.NAME for an entry of meta; claim when both claimed the issue'),
  sides: z.array(
    z.object({
      event: z.string(),
      value: z.unknown().describe('what was written; of a claim the name of the holder'),
      by: z.string(),
      at: time,
      wins: z.boolean().describe('whether it is the one that is in force'),
    }),
  ),
  settle: z.string().nullable().describe('the command that ends it; null where the loser can only stop'),
})

/** What `compact` did, or would do. Sizes in bytes. */
export const compaction = z.object({
  v: z.literal(1),
  path: z.string(),
  lines: z.int().min(0),
  bytes: z.int().min(0),
  lines_after: z.int().min(0),
  bytes_after: z.int().min(0),
  archive: z.string().nullable().describe('where the old log is now; null when nothing was done'),
  dry_run: z.boolean(),
})

/** An event of the past and what became of it, as `history` prints it. */
export const past = z.object({
  v: z.literal(1),
  event: z.looseObject({ v: z.int(), id: z.string(), seq: z.int(), at: time, by: z.string(), type: z.string() }),
  verdict: z
    .enum(['applied', 'void', 'unknown'])
    .describe('void: a claim that nobody confirmed, or an act that its writer took back'),
  lost: z
    .record(z.string(), z.string())
    .optional()
    .describe('by field: the write of another clone that won over it; neither had seen the other'),
  archived: z.boolean().optional().describe('it is in an archive, no longer in the log'),
})

export type Past = z.infer<typeof past>
export type CompactionReport = z.infer<typeof compaction>
export type Conflict = z.infer<typeof conflict>

export type Issue = z.infer<typeof issue>
export type Claim = z.infer<typeof claim>
export type BusMessage = z.infer<typeof busMessage>
export type Comment = z.infer<typeof comment>
export type Made = z.infer<typeof made>
export type Acted = z.infer<typeof acted>
export type Setting = z.infer<typeof setting>
export type Finding = z.infer<typeof finding>

/** What `tissue schema` prints. Fields that are not listed may be there: readers keep them. */
export const schemas = {
  issue: z.toJSONSchema(issue, { io: 'input' }),
  explanation: z.toJSONSchema(explanation, { io: 'input' }),
  waiting: z.toJSONSchema(waiting, { io: 'input' }),
  stats: z.toJSONSchema(stats, { io: 'input' }),
  hit: z.toJSONSchema(hit, { io: 'input' }),
  event: z.toJSONSchema(knownEvent, { io: 'input' }),
  conflict: z.toJSONSchema(conflict, { io: 'input' }),
  new: z.toJSONSchema(made, { io: 'input' }),
  act: z.toJSONSchema(act, { io: 'input' }),
  acted: z.toJSONSchema(acted, { io: 'input' }),
  plan: z.toJSONSchema(plan, { io: 'input' }),
  history: z.toJSONSchema(past, { io: 'input' }),
  compaction: z.toJSONSchema(compaction, { io: 'input' }),
  setting: z.toJSONSchema(setting, { io: 'input' }),
  link: z.toJSONSchema(link, { io: 'input' }),
  circle: z.toJSONSchema(circle, { io: 'input' }),
  tree: z.toJSONSchema(tree, { io: 'input' }),
  page: z.toJSONSchema(page, { io: 'input' }),
  finding: z.toJSONSchema(finding, { io: 'input' }),
  imported: z.toJSONSchema(imported, { io: 'input' }),
  planned: z.toJSONSchema(planned, { io: 'input' }),
  diagnosis: z.toJSONSchema(diagnosisSchema, { io: 'input' }),
  report: z.toJSONSchema(reportSchema, { io: 'input' }),
  store: z.toJSONSchema(storeSchema, { io: 'input' }),
  made: z.toJSONSchema(madeSchema, { io: 'input' }),
  primer: z.toJSONSchema(primerSchema, { io: 'input' }),
  exported: z.toJSONSchema(exported, { io: 'input' }),
  migration: z.toJSONSchema(migration, { io: 'input' }),
}
