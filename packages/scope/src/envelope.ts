import type { Execution } from '@switchyard/exec'
import type { Adapter, AgentAnswer } from './adapter.ts'
import type { Spending } from './budget.ts'
import type { Envelope } from './envelope-schema.ts'
import { findLimit } from './limit.ts'

const errorCharsMax = 4000

/** Exit code by which any command says that there was nothing to do. Agents have no such code. */
const nothingCode = 3

/** What came of a turn, out of how the agent's process ended and what it printed. `now` is in milliseconds. */
export function envelopeOf(adapter: Adapter, execution: Execution, now: number): Envelope {
  const read = adapter.read(execution)
  const answer = read ?? unread(adapter.name, execution)
  const outcome = outcomeOf(adapter, execution, answer)
  const failure = outcome === 'failed' ? (answer.trouble ?? lastWords(adapter.name, execution)) : null
  const trouble = outcome === 'timeout' ? lastSaid(execution, read) : failure
  return {
    v: 1,
    agent: adapter.name,
    text: answer.text,
    session: answer.session,
    outcome,
    exit_code: execution.exitCode,
    usage: answer.usage,
    cost_usd: answer.costUsd,
    duration_ms: execution.durationMs,
    limit: limitOf(adapter, { outcome, trouble, now }),
    error: trouble === null ? null : trouble.message.slice(-errorCharsMax),
    silent_ms: execution.silentMs,
    tries: 1,
  }
}

/** The envelope of a turn that was ended before it told what it has spent, with what was heard of that. */
export const withSpending = (envelope: Envelope, { usage, costUsd }: Spending): Envelope => ({
  ...{ ...envelope, usage: envelope.usage ?? usage, cost_usd: envelope.cost_usd ?? costUsd },
})

/** What a turn said last that was out of time; more often than not it waited for a limit. */
function lastSaid({ stderr }: Execution, read: AgentAnswer | undefined): AgentAnswer['trouble'] {
  const message = stderr.trim()
  return message === '' ? (read?.trouble ?? null) : { message }
}

type Found = { outcome: Envelope['outcome']; trouble: AgentAnswer['trouble']; now: number }

/** A limit of the rate, told from the other words that an agent logs until its time is over. */
function limitOf({ isAgent }: Adapter, { outcome, trouble, now }: Found): Envelope['limit'] {
  const limit = trouble !== null && isAgent ? findLimit(trouble, now) : null
  return outcome === 'timeout' && limit?.kind !== 'rate' ? null : limit
}

function outcomeOf(adapter: Adapter, { timedOut, exitCode }: Execution, { trouble }: AgentAnswer): Envelope['outcome'] {
  if (timedOut) return 'timeout'
  if (trouble !== null) return 'failed'
  if (exitCode === nothingCode && !adapter.isAgent) return 'nothing'
  return exitCode === 0 ? 'done' : 'failed'
}

/** An agent that promised JSON and printed something else. What it printed says why, more often than not. */
function unread(name: string, execution: Execution): AgentAnswer {
  const begin = execution.stdout.trim().slice(0, 200)
  const message =
    execution.exitCode === 0
      ? `expected the answer of ${name} as JSON, got ${begin === '' ? 'nothing' : JSON.stringify(begin)}`
      : lastWords(name, execution).message
  return { text: '', session: null, usage: null, costUsd: null, trouble: { message } }
}

function lastWords(name: string, { stderr, stdout, exitCode, signal }: Execution): { message: string } {
  const said = stderr.trim() || stdout.trim()
  return {
    message: said || `${name} ended with ${exitCode === null ? signal : `exit code ${exitCode}`} and said nothing`,
  }
}
