import { defineVerb } from '@switchyard/cli-kit'
import { answerParser } from '../chunk/parser-answers.ts'

/** A file of 400 MB, each of its bytes escaped. */
const lineBytesMax = 2_500_000_000

/** `deepscan parse`: answers one request a line. Other verbs start it, so that a grammar that aborts ends this process. */
export const parse = defineVerb({
  summary: 'Parse for another verb: requests on stdin, answers on stdout',
  flags: {},
  examples: ['deepscan parse <requests.jsonl'],
  async run({ input, output }) {
    for await (const line of input.linesAsync(lineBytesMax)) {
      output.raw(`${JSON.stringify(await answerParser(line.toString('utf8')))}\n`)
    }
  },
})
