import type { Input } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { isPlainObject } from '@switchyard/ground/plain-object'
import type { Fields } from './host-fields.ts'

/** More than any tool call; what is larger is not held in memory. */
const inputBytesMax = 16 * 1024 * 1024

/** What the host has written to stdin: one JSON object. Failure `usage` when it is anything else, or too large. */
export function readInput(input: Input): Fields {
  const chunks: Buffer[] = []
  let bytes = 0
  for (const chunk of input.chunks()) {
    bytes += chunk.length
    // Read to its end all the same: a host that cannot write it all takes that for a failure.
    if (bytes <= inputBytesMax) chunks.push(chunk)
  }
  if (bytes > inputBytesMax) throw notJson(`more than ${inputBytesMax} bytes`)
  if (bytes === 0) throw notJson('nothing')
  const [only] = chunks
  const value = parse((only?.length === bytes ? only : Buffer.concat(chunks)).toString('utf8'))
  if (!isPlainObject(value)) throw notJson('something else')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson('text that is no JSON')
  }
}

function notJson(got: string): Failure {
  return new Failure('usage', `expected the host's JSON on stdin, got ${got}`, {
    hint: 'this verb is for the hooks of an agent; loop install sets them up',
  })
}
