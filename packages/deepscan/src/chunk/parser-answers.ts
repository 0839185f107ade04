import { isFailure } from '@switchyard/ground/failure'
import * as z from 'zod'
import { isParsed } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import { cutText } from './cut-text.ts'

/** What the parser process is asked for chunks. */
export const cutRequestSchema = z.object({
  want: z.literal('pieces'),
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

/** Parses a text and cuts it along its syntax tree. */
export async function answerCut({ language, text, limit }: z.infer<typeof cutRequestSchema>): Promise<CutAnswer> {
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
