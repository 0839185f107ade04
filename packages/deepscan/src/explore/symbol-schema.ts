import * as z from 'zod'
import { symbolKinds } from './symbol-kinds.ts'

const position = z.number().int().min(1)

/** A definition in the map of a tree: a line of `deepscan symbols --jsonl`. */
export const symbolSchema = z.object({
  v: z.literal(1),
  type: z.literal('symbol'),
  name: z.string(),
  kind: z.enum(symbolKinds),
  path: z.string(),
  line: position,
  end_line: position,
  depth: z.number().int().min(0).describe('Below how many other definitions it stands'),
  signature: z.string().describe('What stands before the body, on one line'),
  rank: z.number().min(0).describe('How much others refer to it; the ranks of a tree add up to at most 1'),
  language: z.string(),
})
export type CodeSymbol = z.infer<typeof symbolSchema>
