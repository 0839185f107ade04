// What `import`, `export` and `migrate` print with --json.
import { z } from 'zod'
import { issueId, priority, title } from './event-schema.ts'

/** What `import --json` prints of each issue that it made or met. */
export const imported = z.object({
  id: issueId,
  short: issueId,
  title,
  key: z.string().optional(),
  created: z.boolean(),
  closed: z.boolean().describe('whether it is over now'),
  changed: z.array(z.enum(['status', 'comments', 'links'])).describe('what followed from where it was imported from'),
})

/** What `import --dry-run --json` prints of each issue that it would make. */
export const planned = z.object({ title, priority, key: z.string().optional() })

/** What `export --out` prints. */
export const exported = z.object({ path: z.string(), lines: z.int().min(0) })

/** What `migrate` prints. */
export const migration = z.object({
  v: z.literal(1),
  source: z.string().describe('the log that was read'),
  dry_run: z.boolean(),
  created: z.array(issueId).describe('ids of the issues that were made'),
  issues: z.int().min(0).describe('how many were made, or would be'),
  present: z.int().min(0).describe('how many were there before'),
  changed: z.int().min(0).describe('how many of these got comments, links, an end or a beginning'),
  comments: z.int().min(0),
  links: z.int().min(0),
  left_out: z.object({
    comments: z.int().min(0).describe('of issues that the source does not have'),
    links: z.array(z.string()).describe('to no other issue of the source'),
  }),
  damaged: z.array(z.object({ line: z.int().min(1), reason: z.string() })),
})
