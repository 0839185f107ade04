import * as z from 'zod'

const checkpointSchema = z.object({
  offset: z.int().nonnegative().describe('bytes from the start of the file'),
  hash: z.string().describe('of the up to 4 KB before it'),
})

/** A consumer's place in a topic, as `docs/formats/cursor.md` promises it on disk. */
export const cursorFileSchema = z.looseObject({
  v: z.literal(1),
  consumer: z.string().min(1),
  topic: z.string().min(1),
  id: z.string().nullable().describe('the last message that was read; null: none'),
  at: z.number().describe('when that was committed, milliseconds since 1970'),
  files: z.array(checkpointSchema.extend({ inode: z.number(), checkpoints: z.array(checkpointSchema) })),
  recent: z.array(z.string()).describe('ids of the last messages read, newest last'),
})

/** What `cursor list` and `cursor reset` print. */
export const cursorSchema = z.object({
  v: z.literal(1),
  consumer: z.string(),
  topic: z.string(),
  id: z.string().nullable().describe('the last message that was read; null: none'),
  at: z.number().nullable().describe('when that was committed, milliseconds since 1970; null: never'),
  unread: z.int().nonnegative(),
})

export type ConsumerCursor = z.infer<typeof cursorFileSchema>
export type CursorSummary = z.infer<typeof cursorSchema>
