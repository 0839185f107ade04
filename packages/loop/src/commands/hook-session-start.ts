import { defineVerb } from '@switchyard/cli-kit'
import { answerLoopHook, hookFlags } from '../hook/answer-hook.ts'

/**
 * `loop hook session-start`: tells a session that starts again, or whose conversation was compacted, of its loop.
 * Exits 0, whatever happens.
 */
export const hookSessionStart = defineVerb({
  summary: 'Tell a session that starts again of its loop',
  flags: hookFlags,
  examples: ['loop hook session-start --host claude'],
  async run(call) {
    await answerLoopHook('session-start', call, async (event, hook) => {
      const { greetSession } = await import('../hook/greet-session.ts')
      return greetSession(event, hook)
    })
    return undefined
  },
})
