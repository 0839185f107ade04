import { findingSchema } from '@switchyard/topic/examine/finding-schema'
import { ackSchema, messageSchema } from '@switchyard/topic/schema'
import * as z from 'zod'
import {
  acknowledgedSchema,
  cursorFileSchema,
  cursorSchema,
  identityFileSchema,
  identitySchema,
  inboxFileSchema,
  inboxSchema,
  pendingSchema,
} from './consumer/schemas.ts'
import { leaseRecordSchema, leaseSchema, releasedSchema } from './lease/schema.ts'
import { agentSchema } from './message/agent-schema.ts'

const moment = z.number().nullable().describe('milliseconds since 1970')
const count = z.int().nonnegative()

const extent = z.object({ messages: count, bytes: count })

/**
 * What `compact` did to a topic, and in a record without one to files that no message names; `unread_by` names the
 * consumers for whose sake segments stayed.
 */
export const compactionSchema = z.object({
  topic: z.string().nullable(),
  sealed: extent.nullable(),
  dropped: extent.extend({ segments: count }).nullable(),
  unread_by: z.array(z.string()),
  files: z
    .object({
      removed: z.array(z.object({ sha256: z.string(), bytes: count })),
      bytes: count,
      drafts: count.describe('left by killed writers'),
      kept: count,
    })
    .optional(),
})

/** What `prime` tells, and whom. */
export const primerSchema = z.object({ v: z.literal(1), name: z.string(), store: z.string(), text: z.string() })

/**
 * What reading verbs print: a message, and where it is so that it has expired, or was conditional and does not count.
 */
export const shownSchema = messageSchema.extend({
  expired: z.literal(true).optional(),
  void: z.literal(true).optional(),
})

/** What `thread` and `read --threads` print: a message and how deep it stands below the first of its thread. */
export const threadedSchema = shownSchema.extend({ depth: count })

/** What `topic list` shows of a topic; `bytes` and `segments` are those of its log. */
export const topicSchema = z.object({
  topic: z.string(),
  messages: count,
  bytes: count,
  segments: count,
  first_at: moment,
  last_at: moment,
  last_from: z.string().nullable(),
})

/** What `topic new` says: which topic, and whether it was not there before. */
export const newTopicSchema = z.object({ v: z.literal(1), topic: z.string(), new: z.boolean() })

/** An attached file that `show --attachment -o` wrote: its name in the store, and where it is now. */
export const blobSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: count,
  file: z.string(),
})

/** A line of an export: a file that messages refer to as an attachment. */
export const exportedFileSchema = z.object({
  type: z.literal('blob'),
  v: z.literal(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  base64: z.string(),
})

/** What `export --out` says of a file it wrote; `topic` is null for what is about several. */
export const writtenSchema = z.object({ path: z.string(), topic: z.string().nullable(), messages: count })

/** What `import` did, or would do. */
export const importSchema = z.object({
  v: z.literal(1),
  dry_run: z.boolean(),
  topics: count.describe('topics that got something new'),
  messages: count,
  acks: count,
  files: count,
  present: count.describe('records that were here already'),
  differing: z.array(z.string()).describe('ids that are here with other content, which stays'),
  missing_files: count.describe('attached files that are neither here nor in the export'),
})

/** What `migrate` took over, or would take over. */
export const migrationSchema = z.object({
  source: z.string(),
  dry_run: z.boolean(),
  topics: z.array(
    z.object({
      topic: z.string(),
      names: z.array(z.string()).describe('what it was called in the source'),
      added: count,
      present: count,
      differing: z.array(z.string()).describe('ids that other messages had already'),
    }),
  ),
  missing_parents: count,
  damaged: z.array(z.object({ file: z.string(), line: z.int().positive(), reason: z.string() })),
})

/** What `init` made, or found made. */
export const madeSchema = z.object({ store: z.string(), created: z.boolean() })

/** Which store a command uses, and why. */
export const storeSchema = z.object({
  v: z.literal(1),
  store: z.string(),
  base: z.string().describe('the root: the folder that the store lies in'),
  exists: z.boolean(),
  reason: z.string(),
})

/** What `doctor --log` found in a topic; `bodies` are files beside it that are missing or damaged. */
export const reportSchema = z.object({
  topic: z.string(),
  lines: count,
  records: count,
  torn: count,
  duplicates: count,
  corrupt: z.array(z.object({ file: z.string(), line: count, offset: count, reason: z.string() })),
  bodies: z.array(z.object({ id: z.string(), reason: z.string() })),
})

/** What `jwz schema` prints: the records that other programs may read. */
export const schemas = {
  message: z.toJSONSchema(messageSchema),
  shown: z.toJSONSchema(shownSchema),
  threaded: z.toJSONSchema(threadedSchema),
  topic: z.toJSONSchema(topicSchema),
  'new-topic': z.toJSONSchema(newTopicSchema),
  compaction: z.toJSONSchema(compactionSchema),
  blob: z.toJSONSchema(blobSchema),
  ack: z.toJSONSchema(ackSchema),
  'exported-file': z.toJSONSchema(exportedFileSchema),
  written: z.toJSONSchema(writtenSchema),
  import: z.toJSONSchema(importSchema),
  migration: z.toJSONSchema(migrationSchema),
  made: z.toJSONSchema(madeSchema),
  store: z.toJSONSchema(storeSchema),
  report: z.toJSONSchema(reportSchema),
  finding: z.toJSONSchema(findingSchema),
  primer: z.toJSONSchema(primerSchema),
  inbox: z.toJSONSchema(inboxSchema),
  'inbox-file': z.toJSONSchema(inboxFileSchema),
  acknowledged: z.toJSONSchema(acknowledgedSchema),
  pending: z.toJSONSchema(pendingSchema),
  agent: z.toJSONSchema(agentSchema),
  identity: z.toJSONSchema(identitySchema),
  'identity-file': z.toJSONSchema(identityFileSchema),
  cursor: z.toJSONSchema(cursorSchema),
  'cursor-file': z.toJSONSchema(cursorFileSchema),
  lease: z.toJSONSchema(leaseSchema),
  'lease-released': z.toJSONSchema(releasedSchema),
  'lease-record': z.toJSONSchema(leaseRecordSchema),
}
