import { z } from 'zod'

/** A step of an agent, as `scope trajectory` prints it. */
export const stepSchema = z.object({
  v: z.literal(1),
  session: z.string(),
  at: z.number().nullable().describe('milliseconds since 1970; null where the transcript does not say'),
  step: z.enum(['prompt', 'text', 'tool', 'tool-result']).describe('told, said, did, and how that came out'),
  tool: z.string().nullable().describe('its name, of a tool'),
  text: z.string().describe('the words; of a tool its input, as JSON'),
  summary: z.string().describe('the same as one short line'),
  failed: z.boolean().describe('of a result'),
  cwd: z.string().optional().describe('the folder in which its paths are meant'),
})

export type StepView = z.infer<typeof stepSchema>
