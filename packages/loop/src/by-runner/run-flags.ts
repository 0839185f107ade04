import type { FlagsOf } from '@switchyard/cli-kit'

/** What a run is told, one iteration of it or all. */
export const runFlags = {
  issue: { type: 'string', value: 'ID', summary: 'Work this issue' },
  file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read the task from a file' },
  with: { type: 'string', value: 'CMD', summary: 'The runner: a line of shell, or the name of an agent' },
  check: { type: 'string', value: 'CMD', summary: 'A line of shell that exits 0 when the task is done' },
  verify: { type: 'string', value: 'CMD', summary: 'A line of shell that exits 0 when the work on an issue is good' },
  base: {
    type: 'string',
    value: 'BRANCH',
    summary: 'Where work starts and lands; else what the main tree has checked out',
  },
  max: { type: 'integer', value: 'N', min: 1, max: 1000, summary: 'Iterations of the task; else 5' },
  'max-iterations': {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 1000,
    summary: 'Iterations of an issue, or of the task; else 5',
  },
  budget: {
    type: 'list',
    value: 'AMOUNT',
    summary: "What all of it may cost: tokens (200k) or dollars (5usd, '$5')",
  },
  deadline: { type: 'string', value: 'WHEN', summary: 'When it must be over: in 2h, or at a time' },
  timeout: { type: 'duration', summary: 'Of one call of the runner or the verify command; else 10m' },
  lease: { type: 'duration', default: '10m', summary: 'How long a claim outlives a worker that is gone' },
  context: {
    type: 'string',
    value: 'HOW',
    default: 'fresh',
    summary: 'Of an agent from call to call: fresh, continue, or hybrid:K (fresh every K calls)',
  },
  push: { type: 'boolean', summary: 'Push the base to its remote when something lands on it' },
  strategy: {
    type: 'choice',
    choices: ['rebase', 'squash', 'merge'],
    summary: 'How a change gets onto the base; else what loop.json says',
  },
  pr: { type: 'string', value: 'CMD', summary: 'A line of shell that proposes the branch instead of landing it' },
  sandbox: { type: 'boolean', summary: 'Confine the runner, and what verifies, by the kernel' },
  'no-network': { type: 'boolean', summary: 'In the sandbox: what verifies has no network' },
  prompt: { type: 'string', value: 'FILE', summary: 'A template for the prompt instead of the usual one' },
  backoff: { type: 'duration', default: '30s', summary: 'First wait after a rate limit without an end; doubles' },
} as const

/** How something lands, as far as the flags say. */
export function landingFlags({ push, strategy, pr }: FlagsOf<{ summary: ''; examples: []; flags: typeof runFlags }>) {
  return { push: push || undefined, strategy, pr }
}
