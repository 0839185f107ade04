import { z } from 'zod'

/** What `loop doctor` prints for each look. */
export const finding = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warn', 'bad', 'fixed']),
  detail: z.string(),
  advice: z.string().nullable(),
})
