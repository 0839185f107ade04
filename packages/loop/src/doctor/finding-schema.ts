import { z } from 'zod'
import { left } from '../recover/left-schema.ts'

/** What `loop doctor` prints for each look; of what a crash left, also that. */
export const finding = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warn', 'bad', 'fixed']),
  detail: z.string(),
  advice: z.string().nullable(),
  ...left.partial().shape,
})
