import { defineVerb } from '@switchyard/cli-kit'
import { answerLoopHook, hookFlags } from '../hook/answer-hook.ts'

/** `loop hook stop-failure`: pauses the loop of a session that came to a rate limit. Exits 0, whatever happens. */
export const hookStopFailure = defineVerb({
  summary: 'Pause the loop of an agent that came to a rate limit',
  flags: hookFlags,
  examples: ['loop hook stop-failure --host claude'],
  async run(call) {
    await answerLoopHook('stop-failure', call, async (event, hook) => {
      const { pauseAtLimit } = await import('../hook/pause-at-limit.ts')
      return pauseAtLimit(event, hook)
    })
    return undefined
  },
})
