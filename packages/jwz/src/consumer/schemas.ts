import { messageSchema } from '@switchyard/topic/schema'
import * as z from 'zod'

const checkpointSchema = z.object({
  offset: z.int().nonnegative().describe('bytes from the start of the file'),
  hash: z.string().describe('of the up to 4 KB before it'),
})

const filesSchema = z.array(checkpointSchema.extend({ inode: z.number(), checkpoints: z.array(checkpointSchema) }))

/** A consumer's place in a topic, as `docs/formats/cursor.md` promises it on disk. */
export const cursorFileSchema = z.looseObject({
  v: z.literal(1),
  consumer: z.string().min(1),
  topic: z.string().min(1),
  id: z.string().nullable().describe('the last message that was read; null: none'),
  at: z.number().describe('when that was committed, milliseconds since 1970'),
  files: filesSchema,
  recent: z.array(z.string()).describe('ids of the last messages read, newest last'),
})

/** A cursor as `read --status` and `read --reset` print it. */
export const cursorSchema = z.object({
  v: z.literal(1),
  consumer: z.string(),
  topic: z.string(),
  id: z.string().nullable().describe('the last message that was read; null: none'),
  at: z.number().nullable().describe('when that was committed, milliseconds since 1970; null: never'),
  unread: z.int().nonnegative(),
})

const inboxPlaceSchema = z.object({
  files: filesSchema.describe('all before these places is read'),
  read: z.array(z.string()).describe('ids of read messages behind them, and of the last ones before'),
})

/** What an agent has read of what is addressed to it, as `docs/formats/cursor.md` promises it on disk. */
export const inboxFileSchema = z.looseObject({
  v: z.literal(1),
  agent: z.string().min(1),
  at: z.number().describe('when it was last committed, milliseconds since 1970'),
  topics: z.record(z.string(), inboxPlaceSchema),
})

/** What `inbox` prints. */
export const inboxSchema = messageSchema.extend({ read: z.boolean() })

/** What `ack` prints. */
export const acknowledgedSchema = z.object({
  v: z.literal(1),
  message: z.string().describe('id of the message'),
  topic: z.string(),
  from: z.string().describe('who acknowledges'),
  new: z.boolean().describe('false when it had been acknowledged before'),
})

/** What `ack --pending` prints. */
export const pendingSchema = messageSchema.extend({
  acked: z.array(z.string()).describe('who has acknowledged it'),
  pending: z.array(z.string()).describe('who of those it is addressed to has not'),
})

/** What `whoami` prints. */
export const identitySchema = z.object({
  v: z.literal(1),
  name: z.string(),
  source: z.enum(['--as', 'JWZ_AGENT', 'saved', 'session']).describe('what says so'),
  reason: z.string(),
})

/** The name saved for a terminal session or pane, as `docs/formats/cursor.md` promises it on disk. */
export const identityFileSchema = z.looseObject({
  v: z.literal(1),
  name: z.string().min(1).max(80),
  session: z.string().describe('the tmux pane, or the session leader and its start'),
  at: z.number().describe('when it was saved, milliseconds since 1970'),
})

export type ConsumerCursor = z.infer<typeof cursorFileSchema>
export type CursorSummary = z.infer<typeof cursorSchema>
export type InboxPlace = z.infer<typeof inboxPlaceSchema>
export type InboxFile = z.infer<typeof inboxFileSchema>
