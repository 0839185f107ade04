// The events of tissue. Hot verbs import the types only, and check by `event.check.ts`, which the build compiles.
import { z } from 'zod'
import { basicFields, type Kind, optionalFields } from './fields.ts'

/** Largest sequence number a reader takes; far above any honest log, far below where adding one stops working. */
export const seqMax = 2 ** 52
export const sequence = z.int().min(0).max(seqMax)

export const issueId = z.string().regex(/^[a-z0-9][a-z0-9-]*-[0-9a-z]+$/)
export const time = z.int().min(0).describe('milliseconds since 1970')
export const priority = z.int().min(1).max(5).describe('1 is the most urgent')
export const title = z.string().min(1)
export const tag = z.string().min(1)
export const issueType = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]*$/)
  .describe('bug, feature, task, epic, chore, decision, or a word of your own')
export const anyObject = z.record(z.string(), z.unknown())

export const status = z.enum(['open', 'in_progress', 'paused', 'deferred', 'closed', 'duplicate'])
export const depKind = z.enum([
  'blocks',
  'relates',
  'parent',
  'discovered-from',
  'duplicates',
  'supersedes',
  'caused-by',
])
export const dep = z.object({ kind: depKind, from: issueId, to: issueId })

const eventId = z.string().min(1)
const renewal = z
  .object({ claim: eventId, until: time })
  .describe('the act of a holder: it keeps the claim of this id until then')
const envelope = {
  v: z.literal(1),
  id: eventId.describe('ULID of the event: identity, not order'),
  seq: sequence.describe('one above the largest the writer had seen'),
  at: time,
  by: z.string().min(1).describe('name of the agent'),
}
const onIssue = { ...envelope, issue: issueId, renewal: renewal.optional() }
const replaces = z
  .record(z.string(), z.array(eventId))
  .optional()
  .describe('by field: the writes of it that the writer overwrote; writes that did not see each other are a conflict')
const fence = z
  .string()
  .optional()
  .describe('claim under which the writer acts; the event is void when another is current')
const ends = z
  .array(eventId)
  .optional()
  .describe('claims that it ends: those that its writer saw; one of a former version ends what was current')

const ofKind = {
  line: title,
  text: z.string(),
  word: issueType,
  name: z.string().min(1),
  priority,
  moment: time,
  span: z.int().min(0).describe('milliseconds'),
} satisfies Record<Kind, z.ZodType>
type Kinds = Readonly<Record<string, Kind>>

/** Fields that may be missing, out of a table of fields. */
export function optionalShape<T extends Kinds>(kinds: T): { [F in keyof T]: z.ZodOptional<(typeof ofKind)[T[F]]> } {
  return Object.assign({}, ...Object.entries(kinds).map(([name, kind]) => ({ [name]: ofKind[kind].optional() })))
}

function clearableShape<T extends Kinds>(
  kinds: T,
): { [F in keyof T]: z.ZodOptional<z.ZodNullable<(typeof ofKind)[T[F]]>> } {
  const shape = Object.entries(kinds).map(([name, kind]) => ({ [name]: ofKind[kind].nullable().optional() }))
  return Object.assign({}, ...shape)
}

const configured = z.object({
  ...envelope,
  type: z.literal('configured'),
  prefix: z.string().min(1).optional(),
  settings: z.record(z.string(), z.string().nullable()).optional().describe('null takes a setting back'),
})
const created = z.object({
  ...onIssue,
  type: z.literal('created'),
  title,
  body: z.string(),
  priority,
  tags: z.array(tag),
  issue_type: issueType.optional(),
  ...optionalShape(optionalFields),
  refs: z.array(z.string().min(1)).optional(),
  meta: z.record(z.string(), z.string()).optional(),
  blocked_by: z.array(issueId).optional(),
  links: z.array(dep).optional().describe('links with this issue at one end'),
  key: z.string().min(1).optional(),
  finding: anyObject.optional(),
})
const edited = z.object({
  ...onIssue,
  type: z.literal('edited'),
  ...optionalShape(basicFields),
  ...clearableShape(optionalFields),
  meta: z.record(z.string(), z.string().nullable()).optional(),
  add_refs: z.array(z.string().min(1)).optional(),
  rm_refs: z.array(z.string().min(1)).optional(),
  replaces,
})
const changed = z.object({
  ...onIssue,
  type: z.literal('status'),
  status,
  reason: z.string().optional(),
  fence,
  ends,
  replaces,
})
const closed = z.object({ ...onIssue, type: z.literal('closed'), reason: z.string().optional(), fence, ends, replaces })
const deleted = z.object({
  ...onIssue,
  type: z.literal('deleted'),
  expect: eventId.describe('the write of the status that the writer saw; a later one brings the issue back'),
})
const origin = z
  .object({ id: z.string().min(1), by: z.string().min(1).optional(), at: time.optional() })
  .describe('where an import found it: its id there, who wrote it and when')
const commented = z.object({
  ...onIssue,
  type: z.literal('commented'),
  body: z.string(),
  origin: origin.optional(),
})
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
  previous: z.string().min(1).optional().describe('name of the holder whose lease had run out'),
  leases: z.array(z.string().min(1)).optional().describe('paths that the holder leased on the bus with it'),
  supersedes: z
    .array(eventId)
    .optional()
    .describe('claims that its writer saw and that hold nothing; a claim that has this counts once it is confirmed'),
  replaces,
})
const confirmed = z.object({
  ...onIssue,
  type: z.literal('confirmed'),
  of: eventId.describe('the claim, by the same writer, which has read back that nobody came before it'),
})
const withdrawn = z.object({
  ...onIssue,
  type: z.literal('withdrawn'),
  of: eventId.describe('an event of the same writer that lost a race: it does nothing'),
})
const released = z.object({
  ...onIssue,
  type: z.literal('released'),
  expect: z.string(),
  note: z.string().optional(),
  to: z.string().min(1).optional().describe('who is to go on: the new assignee'),
  ends,
  replaces,
})
const compacted = z.object({
  ...envelope,
  type: z.literal('compacted'),
  archive: z.string().min(1).describe('file in `archive/` that holds the whole log as it was before'),
  dropped: z.int().min(0).describe('lines that nothing depends on any more'),
  gone: z
    .array(eventId)
    .optional()
    .describe('events of those lines: should one come back, as a merge may bring it, it does nothing'),
  judged: z
    .array(eventId)
    .optional()
    .describe('events that are left and were valid: they are, also where the claim that they name is gone'),
  bytes: z.int().min(0).optional().describe('length of the archive when its lines were taken over'),
})

const single = [
  configured,
  created,
  edited,
  changed,
  closed,
  deleted,
  commented,
  tagged,
  untagged,
  linked,
  unlinked,
  claimed,
  confirmed,
  withdrawn,
  released,
  compacted,
] as const

/** An event that stands alone on its line, or in a batch. */
export const singleEvent = z.discriminatedUnion('type', single)

const batch = z.object({
  ...envelope,
  type: z.literal('batch'),
  events: z.array(singleEvent).min(1).describe('events that are there together or not at all, in order'),
})

/** Every event that this version understands. Others are kept and passed over. */
export const knownEvent = z.discriminatedUnion('type', [...single, batch])

/** An event of a later version: its envelope is known, its meaning is not. */
export const unknownEvent = z.object({ ...envelope, type: z.string() })

/** A record of a later version, whatever its envelope is. */
export const laterRecord = z.object({ v: z.int().min(2), id: eventId, type: z.string() })

export type SingleEvent = z.infer<typeof singleEvent>
export type KnownEvent = z.infer<typeof knownEvent>
export type UnknownEvent = z.infer<typeof unknownEvent>
export type Dep = z.infer<typeof dep>
export type Status = z.infer<typeof status>
export type DepKind = z.infer<typeof depKind>
