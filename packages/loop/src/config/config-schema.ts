// `loop.json`, at the top of a repository: what its loops need to know. Every field may be left out.

import { packNames } from '@switchyard/guard/pack-names'
import { z } from 'zod'

/** A line of shell, or several that must all exit 0. */
const lines = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
const duration = z.string().regex(/^\d+(?:ms|s|m|h|d)$/, 'expected a duration such as 90s, 10m or 2h')

const decision = z.enum(['deny', 'ask', 'warn', 'allow'])

const guardRule = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/),
  command: z.array(z.string().min(1)).min(1).describe('words a command begins with; * stands for any one word'),
  flags: z.array(z.string().min(1)).optional().describe('flags of which it must have one'),
  has: z.array(z.string().min(1)).optional().describe('words it must have at any place; * stands for any signs'),
  decision,
  reason: z.string().min(1),
})

export const configSchema = z.strictObject({
  v: z.literal(1).default(1),
  base: z.string().optional().describe('branch that work starts from and lands on'),
  with: z.string().optional().describe('the runner: a line of shell, or the name of an agent'),
  verify: lines.optional().describe('what must pass before anything lands'),
  review: z.boolean().default(false).describe('whether a landing needs an approving review'),
  reviewer: z.string().optional().describe('a runner that reviews; else the agent is told to see to it'),
  sandbox: z.boolean().default(false).describe('whether runners, and what verifies, are confined by the kernel'),
  strategy: z.enum(['rebase', 'squash', 'merge']).default('rebase'),
  push: z
    .union([z.boolean(), z.string()])
    .default(false)
    .describe('push the base after landing: to its remote, or this one'),
  pr: z.string().optional().describe('a line of shell that proposes the branch LOOP_BRANCH instead of landing it'),
  worktree: z
    .strictObject({
      setup: lines.optional().describe('run in a new worktree'),
      copy: z.array(z.string()).default([]).describe('files and globs that git ignores and a worktree needs'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      iterations: z.int().min(1).max(1000).optional(),
      time: duration.optional(),
      tokens: z.int().min(1).optional(),
      cost_usd: z.number().positive().optional(),
    })
    .prefault({}),
  timeout: duration.optional().describe('of one call of the runner or the verify command'),
  stale_after: duration.default('2h').describe('how long a session may be silent before its loop is left alone'),
  guard: z
    .strictObject({
      protect: z
        .array(z.string().min(1))
        .default([])
        .describe('branches beside the base that nobody may force, delete or push'),
      rules: z.record(z.string(), z.enum(['deny', 'ask', 'warn', 'allow', 'off'])).default({}),
      add: z.array(guardRule).default([]),
      packs: z.array(z.enum(packNames)).default([]).describe('rules beside the built-in ones, by what they are about'),
    })
    .prefault({}),
})
export type Config = z.infer<typeof configSchema>
