import { defineVerb } from '@switchyard/cli-kit'
import { answerRuff } from '../linters/ruff-answers.ts'

const lineBytesMax = 1_000_000

/** `deepscan ruff`: answers one request a line. Other verbs start it, so that a crash of the linter ends this process. */
export const ruff = defineVerb({
  summary: 'Run ruff for another verb: requests on stdin, answers on stdout',
  flags: {},
  examples: ['deepscan ruff <requests.jsonl'],
  async run({ input, output }) {
    for await (const line of input.linesAsync(lineBytesMax)) {
      output.raw(`${JSON.stringify(await answerRuff(line.toString('utf8')))}\n`)
    }
  },
})
