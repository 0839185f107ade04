// What `new --plan` reads. Only the shape is here: values are read as those of flags are.
import { z } from 'zod'
import { type Faults, namedFaults } from '../text/faults.ts'
import { fieldFlags } from './fields.ts'
import { inputShape } from './input-schema.ts'
import { newFlags } from './verb-flags.ts'

/** The fields of a new issue: its title, and the flags of `new`. */
export const newFields = { title: z.string().describe('one line'), ...inputShape(fieldFlags), ...inputShape(newFlags) }

const plannedIssue = z.strictObject({
  name: z.string().min(1).describe('what other issues of the plan call it: in parent, blocked_by, blocks'),
  ...newFields,
})

/** A plan: issues that name each other, or by their ids those that are there. */
export const plan = z.strictObject({ issues: z.array(plannedIssue).min(1) })

export type NewFields = Omit<z.infer<typeof plannedIssue>, 'name'>
export type PlannedIssue = z.infer<typeof plannedIssue>

/** The issues of a plan; what keeps it from being one goes to `faults`. */
export function readPlan(document: unknown, faults: Faults): readonly PlannedIssue[] {
  const read = plan.safeParse(document)
  if (!read.success) for (const fault of namedFaults(read.error.issues)) faults.add(fault)
  return read.data?.issues ?? []
}
