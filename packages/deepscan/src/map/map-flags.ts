import { onlyWords } from './choose-chunks.ts'

/** The flags by which agents are called: those of `deepscan map` and of `deepscan run --with`. */
export const agentFlags = {
  with: { type: 'string', value: 'RUNNER', summary: 'Whom to ask: the name of an agent, or a line of shell' },
  model: { type: 'string', value: 'MODEL', summary: "Which model, by the agent's own name for it" },
  query: { type: 'string', value: 'TEXT', summary: 'What to ask, instead of the question of the scan' },
  'agent-type': {
    type: 'string',
    value: 'NAME',
    summary: 'Which instructions agents get, instead of those of the scan',
  },
  jobs: { type: 'integer', short: 'j', value: 'N', min: 1, max: 64, default: 5, summary: 'How many agents at once' },
  timeout: { type: 'duration', default: '300s', summary: 'When an agent is ended that has not answered' },
  retries: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: 20,
    default: 3,
    summary: 'How often a chunk is tried again after a crash or a timeout',
  },
  backoff: { type: 'duration', default: '2s', summary: 'The first wait before another try; it doubles each time' },
  escalate: { type: 'string', value: 'RUNNER', summary: 'Whom to ask where an answer is poor, or the agent unable' },
  'escalate-ratio': { type: 'string', value: 'SHARE', default: '0.15', summary: 'For how many of the chunks at most' },
  'budget-usd': { type: 'string', value: 'USD', default: '5', summary: 'Ask nobody more once so much is spent' },
  'budget-tokens': { type: 'integer', value: 'N', min: 1, max: 1e12, summary: 'Ask nobody more once so many are used' },
  price: { type: 'string', value: 'IN/OUT', summary: 'Dollars for a million tokens, for agents that do not say' },
  hints: { type: 'boolean', summary: 'Ask first where rules, changes and imports point; tell agents what rules found' },
  sample: { type: 'integer', value: 'N', min: 1, max: 100_000, summary: 'Ask about so many chunks only' },
} as const

/** The flags by which `deepscan run` calls agents; `deepscan map` has the others. */
export const runAgentFlags = {
  with: { ...agentFlags.with, summary: 'Ask agents, too: init, map, verify --refute and reduce in one' },
  query: { ...agentFlags.query, summary: 'With --with: what to ask' },
  model: agentFlags.model,
  'agent-type': { ...agentFlags['agent-type'], summary: 'With --with: which instructions agents get' },
  jobs: agentFlags.jobs,
  escalate: agentFlags.escalate,
  'budget-usd': { ...agentFlags['budget-usd'], summary: 'With --with: end each step once so much is spent' },
  hints: agentFlags.hints,
  sample: agentFlags.sample,
} as const

/** The flags that `deepscan map` has beside them. */
export const mapFlags = {
  ...agentFlags,
  session: { type: 'string', value: 'ID', summary: 'Which scan; the current one of the project otherwise' },
  only: { type: 'choice', choices: onlyWords, default: 'pending', summary: 'Which chunks to ask about' },
  'dry-run': { type: 'boolean', summary: 'Ask nobody: say how many calls it would be, and what they cost' },
  instructions: { type: 'boolean', short: 'i', summary: 'Ask nobody: print the prompts, for agents of your own' },
  batch: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 100_000,
    summary: 'With --instructions: this group of --jobs chunks',
  },
  limit: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 100_000,
    summary: 'With --instructions: at most so many; 5, or all with -o',
  },
  out: { type: 'string', short: 'o', value: 'FILE', summary: 'With --instructions: write them there' },
  format: {
    type: 'choice',
    choices: ['md', 'jsonl'],
    default: 'md',
    summary: 'With --instructions: a page, or a line each',
  },
  import: { type: 'string', value: 'FILE', summary: 'Ask nobody: take in answers from a file, or stdin with -' },
} as const
