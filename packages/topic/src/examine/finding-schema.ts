import { z } from 'zod'

/** What a doctor prints for each look. */
export const findingSchema = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warn', 'bad', 'fixed']),
  detail: z.string(),
  advice: z.string().nullable(),
})
