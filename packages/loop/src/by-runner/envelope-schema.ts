// What `scope run --json` prints, as a turn of a run is judged by it.
import { parseEnvelope } from '@switchyard/exec/envelope'
import { hearIn, type Words, wordsOf } from '../state/said.ts'

/** An agent's answer. Tokens are those that went in and came out; cached ones are among those that went in. */
export type Envelope = {
  text: string
  session: string | undefined
  words: Words
  /** Whether its text says how its work stands. */
  isWord: boolean
  exitCode: number | null
  tokens: number
  costUsd: number
  limit: { kind: 'rate' | 'auth' | 'budget'; resetsAt: number | undefined } | undefined
  error: string | undefined
}

/** Undefined when the text is no envelope. Its last line is enough: what stands before it is the agent's noise. */
export function readEnvelope(stdout: string, redact: (text: string) => string): Envelope | undefined {
  const read = parseEnvelope(stdout)
  if (read === undefined) return undefined
  const { session, outcome, exit_code, usage, cost_usd, limit } = read
  const text = redact(read.text)
  const error = read.error === null ? undefined : redact(read.error)
  const heard = hearIn(text)
  return {
    ...{
      text,
      words: wordsOf(outcome, heard),
      isWord: heard !== undefined,
      exitCode: exit_code,
      session: session ?? undefined,
      error,
    },
    tokens: Math.round((usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)),
    costUsd: cost_usd ?? 0,
    limit: limit === null ? undefined : { kind: limit.kind, resetsAt: limit.resets_at ?? undefined },
  }
}
