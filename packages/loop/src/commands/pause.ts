import { defineVerb } from '@switchyard/cli-kit'
import { askRuns, controlFlags } from '../by-hook/ask-runs.ts'

/** `loop pause`: no new iteration begins until the run is resumed. */
export const pause = defineVerb({
  summary: 'Pause a run: what is begun is finished, nothing new begins',
  flags: { ...controlFlags, all: { type: 'boolean', summary: 'Every run that is not over' } },
  examples: ['loop pause', 'loop pause --all'],
  run: (call) => askRuns(call, { command: 'pause', text: '' }),
})
