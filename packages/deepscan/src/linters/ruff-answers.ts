import { isFailure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import * as z from 'zod'
import { decodeSource } from '../text/source-text.ts'
import { readSourceFile } from '../walk/source-file.ts'
import { loadRuff } from './load-ruff.ts'
import type { RuffDiagnostic } from './ruff.ts'

const requestSchema = z.union([z.object({ text: z.string() }), z.object({ path: z.string() })])
const fileBytesMax = 16_000_000

let loading: ReturnType<typeof loadRuff> | undefined

/**
 * What ruff says of the text that a line of JSON has, or of the file that it names. Throws what WebAssembly throws when
 * it crashes: it can be asked nothing more then.
 */
export async function answerRuff(line: string): Promise<{ diagnostics: RuffDiagnostic[] } | { fault: string }> {
  const text = textAsked(requestSchema.parse(parseJson(line)))
  if (text === undefined) return { diagnostics: [] }
  loading ??= loadRuff()
  try {
    const check = await loading
    return { diagnostics: check(text) }
  } catch (error) {
    if (isFailure(error)) return { fault: error.message }
    throw error
  }
}

function textAsked(request: z.infer<typeof requestSchema>): string | undefined {
  if ('text' in request) return request.text
  const file = readSourceFile(request.path, fileBytesMax)
  return typeof file === 'string' ? undefined : decodeSource(file.bytes).text
}
