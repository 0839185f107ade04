// What the verbs that link issues and draw them print with --json.
import { z } from 'zod'
import { dep } from './event-schema.ts'

/** A link as `dep` and `block` print it. */
export const link = z.object({ v: z.literal(1), ...dep.shape })

/** Links that lead from an issue back to it, as `dep cycles` prints them. */
export const circle = z.object({
  v: z.literal(1),
  kind: z
    .enum([...dep.shape.kind.exclude(['relates']).options, 'waits'])
    .describe('waits: links of several kinds, by which each issue waits for the next'),
  path: z.array(dep.shape.from).describe('the first issue is also the last'),
  links: z.array(dep).describe('the link behind each step; removing one of them ends it'),
  text: z.string(),
})

export type Link = z.infer<typeof link>
