// The records of an original store, which writes an issue whole at each change: hostile until parsed.
import { z } from 'zod'

const text = z.union([
  z.string(),
  // What was no UTF-8 stands there as the numbers of its bytes.
  z.array(z.int().min(0).max(255)).transform((bytes) => Buffer.from(bytes).toString()),
])
const id = z.string().min(1).max(128)
const time = z.int().min(0).max(8.64e15)
const rev = z.string()

const issue = z.looseObject({
  type: z.literal('issue'),
  id,
  rev,
  title: text,
  body: text.nullish(),
  status: z.string(),
  priority: z.int(),
  tags: z.array(text).nullish(),
  created_at: time,
  updated_at: time,
})
const comment = z.looseObject({ type: z.literal('comment'), id, issue_id: id, body: text, created_at: time })
const dep = z.looseObject({
  type: z.literal('dep'),
  src_id: id,
  dst_id: id,
  kind: z.enum(['blocks', 'parent', 'relates']),
  state: z.enum(['active', 'removed']),
  rev,
})

/** A line of the log of an original store. */
export const originalRecord = z.discriminatedUnion('type', [issue, comment, dep])
export type OriginalRecord = z.infer<typeof originalRecord>
export type OriginalIssue = z.infer<typeof issue>
export type OriginalComment = z.infer<typeof comment>
export type OriginalDep = z.infer<typeof dep>
