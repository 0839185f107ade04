import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { askRuns, controlFlags } from '../by-hook/ask-runs.ts'

const textBytesMax = 8192

/** `loop steer`: a word to the agent, told with its next iteration. */
export const steer = defineVerb({
  summary: 'Tell the agent of a run something with its next iteration',
  args: [{ name: 'text', summary: 'What it shall heed; - reads it from stdin' }],
  flags: { ...controlFlags, all: { type: 'boolean', summary: 'Every run that is not over' } },
  examples: ["loop steer 'leave the public names as they are'"],
  run(call) {
    const text = call.args.text === '-' ? call.input.readAll().toString('utf8') : call.args.text
    const bytes = Buffer.byteLength(text)
    if (text.trim() === '' || bytes > textBytesMax) {
      throw new Failure('usage', `expected a text of at most ${textBytesMax} bytes, got ${bytes}`, {
        hint: 'put it into a file and name that',
      })
    }
    return askRuns(call, { command: 'steer', text })
  },
})
