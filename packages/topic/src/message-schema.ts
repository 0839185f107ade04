import * as z from 'zod'

/** A reference to a body kept in a file of its own, `blobs/<sha256>`. */
const blobSchema = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().nonnegative() })

/** A file that was posted with a message: kept like a long body, under the name it had. */
const attachmentSchema = z.object({
  name: z.string().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().nonnegative(),
})

const gitSchema = z.object({ oid: z.string().nullable(), branch: z.string().nullable(), prefix: z.string() })

/** A message as it stands in a topic's log. `docs/formats/topic.md` is its promise; fields are only ever added. */
export const messageSchema = z.looseObject({
  v: z.literal(1),
  id: z
    .string()
    .max(128)
    .regex(/^[^\u0000-\u001f\u007f-\u009f]+$/),
  at: z.number().describe('milliseconds since 1970, by the sender’s clock'),
  topic: z.string().min(1),
  from: z.string().min(1),
  body: z.string().describe('the text; its first part only when there is a blob'),
  role: z.string().optional(),
  model: z.string().optional(),
  to: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  reply_to: z.string().optional().describe('id of the message this one answers'),
  data: z.unknown().optional().describe('any JSON value, for programs'),
  git: gitSchema.optional(),
  blob: blobSchema.optional(),
  attachments: z.array(attachmentSchema).optional().describe('files, kept as blobs'),
  urgent: z.boolean().optional(),
  key: z.string().min(1).optional().describe('a second post with the same key and topic is the same message'),
  expires: z.number().optional().describe('milliseconds since 1970; readers leave the message out afterwards'),
  expect: z.string().nullable().optional().describe('counts only while this id (null: none) is the newest that counts'),
})

/** A record of a topic that says that somebody has taken in one of its messages. */
export const ackSchema = z.looseObject({
  type: z.literal('ack'),
  v: z.literal(1),
  id: z.string().min(1),
  at: z.number().describe('milliseconds since 1970, by the clock of whoever acknowledges'),
  topic: z.string().min(1),
  from: z.string().min(1).describe('who acknowledges'),
  message: z.string().min(1).describe('id of the message'),
})

export type Ack = z.infer<typeof ackSchema>
export type Message = z.infer<typeof messageSchema>
