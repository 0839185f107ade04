import { cleanEnv, type Execution, execute } from '@switchyard/exec'
import { ensureStarted, lastLine } from '@switchyard/exec/ensure-started'
import { parseEnvelope, type ScopeEnvelope } from '@switchyard/exec/envelope'
import { nameOfRunner, type Runner } from '@switchyard/exec/runner'
import { Failure } from '@switchyard/ground/failure'
import type { Usage } from './ledger.ts'

type Env = Readonly<Record<string, string | undefined>>

/** One call: the prompt, and where the agent runs. */
export type AgentCall = {
  readonly prompt: string
  readonly model: string | null
  /** An empty folder: what an agent looks at is in its prompt. */
  readonly cwd: string
  readonly env: Env
  readonly timeoutMs: number
  readonly stop: AbortSignal
  readonly pidFile: string
}

/** What came of it. `text` is the answer, without the envelope of `scope run`. */
export type AgentAnswer =
  | { readonly kind: 'said'; readonly text: string; readonly usage: Usage | undefined }
  | { readonly kind: 'long'; readonly bytes: number }
  | { readonly kind: 'timeout' | 'crash'; readonly why: string; readonly usage: Usage | undefined }
  | { readonly kind: 'rate'; readonly why: string; readonly waitMs: number | undefined }
  | { readonly kind: 'stopped' }

const answerBytesMax = 4_000_000
const graceMs = 2_000
const wordsMax = 2_000
const rateWords = /\brate.?limit|too many requests|\b429\b|\boverloaded\b|quota exceeded/i

/**
 * Calls an agent once. Failure `outside` when there is no such program, or the agent is not signed in: no other call
 * would fare better.
 */
export async function callAgent(runner: Runner, call: AgentCall, now: () => number): Promise<AgentAnswer> {
  const ran = await execute(commandOf(runner, call), {
    ...{
      cwd: call.cwd,
      env: cleanEnv(call.env),
      input: call.prompt,
      signal: call.stop,
      pidFile: call.pidFile,
      graceMs,
    },
    timeoutMs: 'agent' in runner ? call.timeoutMs + graceMs : call.timeoutMs,
    outputBytesMax: answerBytesMax,
  })
  if (ran.aborted) return { kind: 'stopped' }
  if (ran.timedOut) return { kind: 'timeout', why: outOfTime(call.timeoutMs), usage: undefined }
  ensureStarted(runner, ran, '--with')
  if (ran.truncated) return { kind: 'long', bytes: answerBytesMax }
  const envelope = parseEnvelope(ran.stdout)
  return envelope === undefined ? answerOfCommand(ran) : answerOfAgent(runner, envelope, call.timeoutMs, now())
}

function commandOf(runner: Runner, { model, timeoutMs }: AgentCall): readonly string[] | { shell: string } {
  if ('shell' in runner) return runner
  const named = model === null ? [] : ['--model', model]
  return [
    'scope',
    'run',
    '--agent',
    runner.agent,
    '--json',
    '--access',
    'read',
    '--timeout',
    `${timeoutMs}ms`,
    ...named,
  ]
}

const outOfTime = (timeoutMs: number) => `out of time after ${Math.round(timeoutMs / 1000)} seconds`

function answerOfCommand({ exitCode, signal, stdout, output }: Execution): AgentAnswer {
  const isRefused = output.length <= wordsMax && !stdout.includes('{') && rateWords.test(output)
  if (isRefused) return { kind: 'rate', why: lastLine(output), waitMs: undefined }
  if (exitCode === 0) return { kind: 'said', text: stdout, usage: undefined }
  const end = exitCode === null ? `ended by ${signal}` : `exit ${exitCode}`
  return { kind: 'crash', why: [end, lastLine(output).slice(0, wordsMax)].filter(Boolean).join(': '), usage: undefined }
}

function answerOfAgent(runner: Runner, envelope: ScopeEnvelope, timeoutMs: number, now: number): AgentAnswer {
  const { outcome, limit, text, error } = envelope
  const usage = usageIn(envelope)
  const why = lastLine(error ?? text).slice(0, wordsMax) || 'it failed'
  if (limit?.kind === 'rate') {
    const waitMs = limit.resets_at === null ? undefined : Math.max(0, limit.resets_at - now)
    return { kind: 'rate', why, waitMs }
  }
  if (limit !== null) {
    const what = limit.kind === 'auth' ? 'is not signed in' : 'may spend no more'
    throw new Failure('outside', `${nameOfRunner(runner)} ${what}: ${why}`, {
      hint: 'mend that, then go on with deepscan map',
    })
  }
  if (outcome === 'timeout') return { kind: 'timeout', why: outOfTime(timeoutMs), usage }
  if (outcome === 'failed') return { kind: 'crash', why, usage }
  return { kind: 'said', text, usage }
}

function usageIn({ usage, cost_usd }: ScopeEnvelope): Usage | undefined {
  if (usage === null && cost_usd === null) return undefined
  return {
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cost_usd,
  }
}
