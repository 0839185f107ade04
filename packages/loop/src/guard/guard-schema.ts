import { z } from 'zod'

/** What `loop guard test` answers. */
export const guardVerdict = z.object({
  decision: z.enum(['deny', 'ask', 'warn', 'allow']),
  rule: z.string().nullable().describe('the rule that decided; null when none fired'),
  reason: z.string().describe('what is wrong and what to do instead; empty when none fired'),
  at: z.string().describe('the command or path that met the rule'),
})
