// What `new --plan` reads. Only the shape is here: values are read as those of flags are.
import { z } from 'zod'
import { type Faults, namedFaults } from '../text/faults.ts'
import { priority } from './event-schema.ts'

/** A text, or several: what a flag is that may be given more than once. */
export const names = z.union([z.string().min(1), z.array(z.string().min(1))]).describe('one text or a list')
const when = z.string().describe('a time from now such as 2d, a date such as 2026-12-01, or a time')

/** The fields of a new issue, named like the flags of `new`. */
export const newFields = {
  title: z.string().describe('one line'),
  body: z.string().optional(),
  priority: priority.optional(),
  type: z.string().optional(),
  tag: names.optional(),
  assignee: z.string().optional(),
  parent: z.string().min(1).optional().describe('the issue that it is a part of'),
  blocked_by: names.optional().describe('issues that have to be closed first'),
  blocks: names.optional().describe('issues that have to wait for this one'),
  discovered_from: z.string().min(1).optional(),
  accept: z.string().optional(),
  ref: names.optional(),
  meta: z.record(z.string().min(1), z.string()).optional(),
  defer: when.optional(),
  due: when.optional(),
  estimate: z.string().optional().describe('a duration such as 2h'),
  key: z.string().min(1).optional().describe('makes at most one issue, however often it is tried'),
}

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
