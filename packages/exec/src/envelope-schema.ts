// What `scope run --json` prints, parsed as anything that comes from outside.
import { parseJson } from '@switchyard/ground/parse-json'
import { z } from 'zod'

const count = z.number().nonnegative().finite().catch(0)

const envelopeSchema = z.looseObject({
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

export type ScopeEnvelope = z.infer<typeof envelopeSchema>

/** Undefined when the text is no envelope. Its last line is enough: what stands before it is the agent's noise. */
export function parseEnvelope(stdout: string): ScopeEnvelope | undefined {
  return envelopeSchema.safeParse(parseJson(stdout) ?? parseJson(stdout.trimEnd().split('\n').at(-1) ?? '')).data
}
