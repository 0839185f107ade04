import { z } from 'zod'

/** An agent that scope knows how to call, as `scope agents` prints it. */
export const agentSchema = z.object({
  v: z.literal(1),
  agent: z.string(),
  installed: z.boolean(),
  path: z.string().nullable().describe('the file that would run, found on PATH; null where there is none'),
  version: z.string().nullable().describe('the first line that it prints for --version'),
  custom: z.boolean().describe('whether the user has described it in the settings'),
  can: z.object({
    terminal: z.boolean().describe('work in a terminal, where a person may enter'),
    hooks: z.boolean().describe('tell of its turns by hooks that come with its start'),
    resume: z.boolean().describe('go on in an earlier conversation'),
    cost: z.boolean().describe('tell what a turn cost in money'),
  }),
})

export type AgentRecord = z.infer<typeof agentSchema>
