import { hosts } from '@switchyard/wire/host'
import { z } from 'zod'

/** What `scope setup` and `scope uninstall` do to one file. */
export const setupSchema = z.object({
  v: z.literal(1),
  part: z.enum(['hooks', 'instructions']),
  agent: z.enum(hosts),
  path: z.string(),
  state: z.enum(['installed', 'removed', 'unchanged']),
  dry_run: z.boolean().describe('nothing was written: the state is what would come of it'),
  backup: z.string().nullable().describe('the file as it was before the first change'),
  content: z.string().nullable().describe('what is in the file now, or would be; null: the file is gone'),
})

export type SetUp = z.infer<typeof setupSchema>
export type Part = SetUp['part']

export const parts = ['hooks', 'instructions'] as const
