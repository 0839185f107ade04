import { Failure, isFailure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'
import { isParsed } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import { cutText } from './cut-text.ts'

const cutRequestSchema = z.object({
  language: z.string(),
  text: z.string(),
  limit: z.object({ unit: z.enum(['characters', 'tokens']), size: z.number() }),
})

const pieceSchema = z.object({
  start: z.number(),
  end: z.number(),
  share: z.number(),
  by: z.enum(['ast', 'text', 'hard']),
  scopes: z.array(z.string()),
})

/** What the process answers: how a text is cut, or why it cannot be parsed. */
export const cutAnswerSchema = z.union([
  z.object({ pieces: z.array(pieceSchema), imports: z.string() }),
  z.object({ failed: z.string() }),
])
export type CutAnswer = z.infer<typeof cutAnswerSchema>

/** Parses a text and cuts it along its syntax tree. Fails as `usage` when it is no request. */
export async function answerParser(line: string): Promise<CutAnswer> {
  const request = cutRequestSchema.safeParse(parseJson(line))
  if (!request.success) throw new Failure('usage', `expected {"language", "text", "limit"}, got ${line.slice(0, 80)}`)
  const { language, text, limit } = request.data
  if (!isParsed(language)) return { failed: `there is no grammar of ${language}` }
  try {
    const parse = await loadParser(language)
    const { pieces, imports } = cutText(text, { language, root: parse(language, text), limit })
    return { pieces: pieces.map((piece) => ({ ...piece, scopes: [...piece.scopes] })), imports }
  } catch (error) {
    if (isFailure(error)) return { failed: error.message }
    throw error
  }
}
