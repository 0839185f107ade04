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
