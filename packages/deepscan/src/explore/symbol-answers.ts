import { isFailure } from '@switchyard/ground/failure'
import * as z from 'zod'
import { isParsed } from '../syntax/language.ts'
import { loadParser } from '../syntax/parser.ts'
import { callsOf } from './calls.ts'
import { definitionsOf } from './definitions.ts'
import { symbolKinds } from './symbol-kinds.ts'

/** What the parser process is asked for the map of a tree; `calls`: who calls these names is asked, too. */
export const symbolRequestSchema = z.object({
  want: z.literal('symbols'),
  language: z.string(),
  text: z.string(),
  calls: z.array(z.string()).optional(),
})

const definitionSchema = z.object({
  name: z.string(),
  kind: z.enum(symbolKinds),
  start: z.number(),
  end: z.number(),
  depth: z.number(),
  isShared: z.boolean(),
  signature: z.string(),
})

/** What the process answers: definitions and the offsets of calls, or why the text cannot be parsed. */
export const symbolAnswerSchema = z.union([
  z.object({ definitions: z.array(definitionSchema), calls: z.array(z.number()) }),
  z.object({ failed: z.string() }),
])

/** Parses a text and finds what it defines. */
export async function answerSymbols(
  request: z.infer<typeof symbolRequestSchema>,
): Promise<z.infer<typeof symbolAnswerSchema>> {
  const { language, text, calls } = request
  if (!isParsed(language)) return { failed: `there is no grammar of ${language}` }
  try {
    const root = (await loadParser(language))(language, text)
    const found = calls === undefined ? [] : callsOf(root, language, new Set(calls))
    return { definitions: [...definitionsOf(root, language)], calls: [...found] }
  } catch (error) {
    if (isFailure(error)) return { failed: error.message }
    throw error
  }
}
