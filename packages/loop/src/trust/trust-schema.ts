import { z } from 'zod'

export const trustResultSchema = z.object({
  path: z.string().describe('the loop.json'),
  trusted: z.boolean(),
  settings: z.array(z.string()).describe('what holds by it: commands, and what it loosens'),
})
export type TrustResult = z.infer<typeof trustResultSchema>
