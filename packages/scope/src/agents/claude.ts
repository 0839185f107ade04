import type { Access, Adapter, AgentAnswer, Turn } from '../adapter.ts'
import type { Budget } from '../budget.ts'
import type { Usage } from '../envelope-schema.ts'
import { fitting, readJsonValues } from '../json-values.ts'
import { messageSchema, type Result, type ResultUsage, resultSchema } from './claude-schema.ts'

const permissions: Readonly<Record<Access, readonly string[]>> = {
  read: ['--permission-mode=dontAsk', '--disallowedTools=Edit,Write,NotebookEdit'],
  write: ['--permission-mode=acceptEdits', '--allowedTools=Bash'],
  full: ['--dangerously-skip-permissions'],
}

/** Claude Code: `claude -p`, and `claude` in a terminal. */
export const claude: Adapter = {
  name: 'claude',
  isAgent: true,
  resumes: true,
  forks: true,
  tellsCost: true,
  tellsTokens: true,
  command: (turn) => ['claude', '-p', ...outputOf(turn.budget), ...wordsOf(turn)],
  interactive: {
    hooks: 'claude',
    command: (turn) => ['claude', ...wordsOf(turn)],
    prompt: (text) => ['--', text],
  },
  read: ({ stdout }) => {
    const result = fitting(readJsonValues(stdout), resultSchema).at(-1)
    return result && answerOf(result)
  },
  spentIn: (value) => {
    const { data } = messageSchema.safeParse(value)
    return data && { key: data.message.id, usage: usageOf(data.message.usage), costUsd: null }
  },
}

const wordsOf = ({ access, model, resume, forks, settings }: Turn): string[] => [
  ...permissions[access],
  ...(model === undefined ? [] : [`--model=${model}`]),
  ...(resume === undefined ? [] : [`--resume=${resume}`, ...(forks ? ['--fork-session'] : [])]),
  ...(settings === undefined ? [] : [`--settings=${settings}`]),
]

/** With a budget it says what it spends while it works, and ends itself at the dollars that it may spend. */
function outputOf(budget: Budget | undefined): string[] {
  if (budget === undefined) return ['--output-format=json']
  const { max_cost_usd: max } = budget
  return ['--output-format=stream-json', '--verbose', ...(max === null ? [] : [`--max-budget-usd=${max}`])]
}

const usageOf = (usage: ResultUsage): Usage => ({
  input_tokens: usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
  output_tokens: usage.output_tokens,
  cached_tokens: usage.cache_read_input_tokens,
})

/** A failed call of the model keeps the subtype `success`; only `is_error` tells. */
function answerOf({ is_error, subtype, result, errors, api_error_status, usage, ...rest }: Result): AgentAnswer {
  const isTrouble = is_error || subtype.startsWith('error')
  const message = [result, ...errors].filter((text) => text !== '').join('\n') || subtype
  return {
    text: isTrouble ? '' : result,
    session: rest.session_id,
    costUsd: rest.total_cost_usd,
    usage: usage && usageOf(usage),
    trouble: isTrouble ? { message, status: api_error_status } : null,
  }
}
