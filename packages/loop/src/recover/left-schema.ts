import { z } from 'zod'

/** What a crash left, and how that ends. */
export const left = z.object({
  found: z
    .enum(['dead-run', 'lost-run', 'rebase', 'landed', 'missing', 'dead-claim', 'worktree', 'session', 'passes'])
    .describe(
      'lost-run: what a run held whose bus was removed; landed: its issue was still open, or its worktree still there; missing: a worktree whose folder is gone; ' +
        'worktree: work that nobody is at; session: a run that its session has left; passes: old notes of verify',
    ),
  what: z.string().describe('the run, the issue or the folder'),
  action: z.enum(['clean-up', 'abort', 'close', 'remove', 'release', 'keep']).describe('what --fix does about it'),
})
export type Left = z.infer<typeof left>
