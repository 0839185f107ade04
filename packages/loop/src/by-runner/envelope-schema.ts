// What `scope run --json` prints, parsed as anything that comes from outside.
import { parseJson } from '@switchyard/ground/parse-json'
import { z } from 'zod'
import { hearIn, type Words, wordsOf } from '../state/said.ts'

const count = z.number().nonnegative().finite().catch(0)

const envelope = z.looseObject({
  v: z.literal(1),
  text: z.string().catch(''),
  session: z.string().min(1).max(200).nullable().catch(null),
  outcome: z.enum(['done', 'nothing', 'failed', 'timeout']),
  exit_code: z.int().nullable().catch(null),
  usage: z.looseObject({ input_tokens: count, output_tokens: count }).nullable().catch(null),
  cost_usd: z.number().nonnegative().finite().nullable().catch(null),
  limit: z
    .looseObject({ kind: z.enum(['rate', 'auth', 'budget']), resets_at: z.number().nullable().catch(null) })
    .nullable()
    .catch(null),
  error: z.string().nullable().catch(null),
})

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
  const read = envelope.safeParse(parseJson(stdout) ?? parseJson(stdout.trimEnd().split('\n').at(-1) ?? ''))
  if (!read.success) return undefined
  const { session, outcome, exit_code, usage, cost_usd, limit } = read.data
  const text = redact(read.data.text)
  const error = read.data.error === null ? undefined : redact(read.data.error)
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
