import { z } from 'zod'

/** What a session may spend, with all that it starts; null where that is not limited. */
export const budgetPart = z.object({
  max_cost_usd: z.number().nonnegative().nullable(),
  max_tokens: z.int().nonnegative().nullable(),
})
