import * as z from 'zod'

/** One line of `results.jsonl`: what an analyser came to on one chunk. The last one of a chunk counts. */
export const resultSchema = z.object({
  v: z.literal(1),
  type: z.literal('result'),
  id: z.string().optional().describe('By which its findings name it'),
  chunk: z.string(),
  status: z.enum(['completed', 'partial', 'failed']),
  findings: z.number().int().min(0),
  missing_info: z.array(z.string()),
  partial_answer: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  agent: z.string(),
  model: z.string().nullable(),
  attempt: z.number().int().min(1),
  key: z.string().describe('A hash of the content, the prompt and the analyser: equal ones have equal results'),
  usage: z
    .object({
      input_tokens: z.number().nullable(),
      output_tokens: z.number().nullable(),
      cost_usd: z.number().nullable(),
    })
    .nullable(),
  reused: z.boolean().optional().describe('Whether the answer was known from before'),
  at: z.string(),
})
export type Result = z.infer<typeof resultSchema>
