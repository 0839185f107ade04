// What `batch` reads: one act a line, a verb with the fields that its arguments and flags are.
import { z } from 'zod'
import { namedFaults } from '../text/faults.ts'
import { priority } from './event-schema.ts'
import { names, newFields } from './plan-schema.ts'

const id = z.string().min(1).describe('id of an issue, or the name of one made by an earlier line')
const reason = z.string().optional()
const fence = z.string().optional().describe('only while this claim is current')
const force = z.boolean().optional()
const text = z.string().optional()

const editFields = {
  title: text,
  body: text,
  append: text,
  priority: priority.optional(),
  type: text,
  assignee: text,
  parent: text,
  accept: text,
  defer: text,
  due: text,
  estimate: text,
  meta: z.record(z.string().min(1), z.string().nullable()).optional(),
  add_tag: names.optional(),
  rm_tag: names.optional(),
  add_ref: names.optional(),
  rm_ref: names.optional(),
  if_rev: text,
}

/** One act: the fields are named like the flags and arguments of the verb, with `_` for `-`. */
export const act = z.discriminatedUnion('verb', [
  z.strictObject({
    verb: z.literal('new'),
    name: z.string().min(1).optional().describe('what later lines call it'),
    ...newFields,
  }),
  z.strictObject({ verb: z.literal('edit'), id, ...editFields }),
  z.strictObject({ verb: z.literal('status'), id, status: z.string(), reason, fence, force }),
  z.strictObject({ verb: z.literal('close'), id, reason, fence, force, duplicate_of: text, superseded_by: text }),
  z.strictObject({ verb: z.literal('reopen'), id, reason }),
  z.strictObject({ verb: z.literal('comment'), id, message: z.string() }),
  z.strictObject({ verb: z.literal('tag add'), id, tag: names }),
  z.strictObject({ verb: z.literal('tag rm'), id, tag: names }),
  z.strictObject({ verb: z.literal('dep add'), from: id, kind: z.string(), to: names, force }),
  z.strictObject({ verb: z.literal('dep rm'), from: id, kind: z.string(), to: names }),
  z.strictObject({ verb: z.literal('block'), id, by: names }),
  z.strictObject({ verb: z.literal('claim'), id, ttl: z.string().optional().describe('a duration such as 30m') }),
  z.strictObject({ verb: z.literal('release'), id, note: text, to: z.string().min(1).optional(), fence, force }),
])

export type Act = z.infer<typeof act>

/** The act that a line is, or what keeps it from being one. */
export function parseAct(value: unknown): { act: Act } | { faults: string } {
  const read = act.safeParse(value)
  return read.success ? { act: read.data } : { faults: namedFaults(read.error.issues).join(', ') }
}
