import { defineVerb } from '@switchyard/cli-kit'
import { answerLoopHook, hookFlags } from '../hook/answer-hook.ts'

/**
 * `loop hook session-end`: notes that a session is over; its loop is kept for whoever resumes it. Exits 0, whatever
 * happens.
 */
export const hookSessionEnd = defineVerb({
  summary: 'Note that a session is over; its loop is kept',
  flags: hookFlags,
  examples: ['loop hook session-end --host claude'],
  async run(call) {
    await answerLoopHook('session-end', call, async (event, hook) => {
      const { endSession } = await import('../hook/end-session.ts')
      return endSession(event, hook)
    })
    return undefined
  },
})
