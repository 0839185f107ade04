// What `batch` reads: one act a line, a verb with the fields that its arguments and flags are.
import { z } from 'zod'
import { namedFaults } from '../text/faults.ts'
import { fieldFlags } from './fields.ts'
import { inputShape, names } from './input-schema.ts'
import { newFields } from './plan-schema.ts'
import { claimFlags, closeFlags, editFlags, linkFlags, releaseFlags, reopenFlags, statusFlags } from './verb-flags.ts'

const id = z.string().min(1).describe('id of an issue, or the name of one made by an earlier line')
const to = names.describe('one id or a list')
const tag = names.describe('one tag or a list')

const edit = z.strictObject({ verb: z.literal('edit'), id, ...inputShape(fieldFlags), ...inputShape(editFlags) })

/** One act: the fields are named like the flags and arguments of the verb, with `_` for `-`. */
export const act = z.discriminatedUnion('verb', [
  z.strictObject({
    verb: z.literal('new'),
    name: z.string().min(1).optional().describe('what later lines call it'),
    ...newFields,
  }),
  edit,
  z.strictObject({ verb: z.literal('status'), id, status: z.string(), ...inputShape(statusFlags) }),
  z.strictObject({ verb: z.literal('close'), id, ...inputShape(closeFlags) }),
  z.strictObject({ verb: z.literal('reopen'), id, ...inputShape(reopenFlags) }),
  z.strictObject({ verb: z.literal('comment'), id, message: z.string() }),
  z.strictObject({ verb: z.literal('tag add'), id, tag }),
  z.strictObject({ verb: z.literal('tag rm'), id, tag }),
  z.strictObject({ verb: z.literal('dep add'), from: id, kind: z.string(), to, ...inputShape(linkFlags) }),
  z.strictObject({ verb: z.literal('dep rm'), from: id, kind: z.string(), to }),
  z.strictObject({ verb: z.literal('block'), id, by: to }),
  z.strictObject({ verb: z.literal('claim'), id, ...inputShape(claimFlags) }),
  z.strictObject({ verb: z.literal('release'), id, ...inputShape(releaseFlags) }),
])

export type Act = z.infer<typeof act>
export type EditFields = Omit<z.infer<typeof edit>, 'verb' | 'id'>

/** The act that a line is, or what keeps it from being one. */
export function parseAct(value: unknown): { act: Act } | { faults: string } {
  const read = act.safeParse(value)
  return read.success ? { act: read.data } : { faults: namedFaults(read.error.issues).join(', ') }
}
