import { z } from 'zod'

/** What `loop guard test` answers. */
export const guardVerdict = z.object({
  decision: z.enum(['deny', 'ask', 'warn', 'allow']),
  rule: z.string().nullable().describe('the rule that decided; null when none fired'),
  reason: z.string().describe('what is wrong and what to do instead; empty when none fired'),
  at: z.string().describe('the command or path that met the rule'),
})
/** What `loop guard test --explain` answers. */
export const guardExplanation = z.object({
  verdict: guardVerdict,
  commands: z.array(
    z.object({
      command: z.string().describe('a simple command as the guard sees it'),
      cwd: z.string().nullable().describe('where it runs; null when the text does not tell'),
      via: z.array(z.string()).describe('the wrappers it was found in'),
      verdicts: z.array(guardVerdict),
    }),
  ),
  others: z.array(guardVerdict).describe('what concerns the line as a whole'),
})

/** A row of `loop guard rules`. */
export const guardRule = z.object({
  rule: z.string(),
  decision: z.enum(['deny', 'ask', 'warn', 'allow', 'off']),
  builtin: z.enum(['deny', 'ask', 'warn', 'allow']).nullable().describe('null for a rule of the project'),
  what: z.string(),
  reason: z.string(),
})
