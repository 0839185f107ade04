import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { askRuns, controlFlags } from '../by-hook/ask-runs.ts'

const words = ['done', 'nothing', 'stuck', 'limit'] as const

/** `loop signal`: what an agent says of its own work; it counts when it stops next. */
export const signal = defineVerb({
  summary: 'Say of your own work that it is done, that there is nothing to do, or that you are stuck',
  args: [{ name: 'word', summary: 'done, nothing, stuck or limit' }],
  flags: {
    ...controlFlags,
    note: { type: 'string', value: 'TEXT', summary: 'What the person should know' },
  },
  examples: ['loop signal done', "loop signal stuck --note 'the server needs a key'"],
  run(call) {
    const said = words.find((word) => word === call.args.word)
    if (said === undefined) {
      throw new Failure('usage', `expected done, nothing, stuck or limit, got ${JSON.stringify(call.args.word)}`)
    }
    return askRuns(call, { command: 'signal', text: call.flags.note ?? '', said })
  },
})
