import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { answerCut, cutRequestSchema } from '../chunk/parser-answers.ts'
import { answerSymbols, symbolRequestSchema } from '../explore/symbol-answers.ts'

/** A file of 400 MB, each of its bytes escaped. */
const lineBytesMax = 2_500_000_000

/** `deepscan parse`: answers one request a line. Other verbs start it, so that a grammar that aborts ends this process. */
export const parse = defineVerb({
  summary: 'Parse for another verb: requests on stdin, answers on stdout',
  flags: {},
  examples: ['deepscan parse <requests.jsonl'],
  async run({ input, output }) {
    for await (const line of input.linesAsync(lineBytesMax)) {
      output.raw(`${JSON.stringify(await answer(line.toString('utf8')))}\n`)
    }
  },
})

async function answer(line: string): Promise<object> {
  const request = parseJson(line)
  const cut = cutRequestSchema.safeParse(request)
  if (cut.success) return answerCut(cut.data)
  const symbols = symbolRequestSchema.safeParse(request)
  if (symbols.success) return answerSymbols(symbols.data)
  throw new Failure('usage', `expected {"want", "language", "text", …}, got ${line.slice(0, 80)}`)
}
