import { defineVerb } from '@switchyard/cli-kit'
import { answerHook, hookFlags } from '../hook/answer-hook.ts'

/**
 * `loop hook session-start`: tells a session that starts again, or whose conversation was compacted, of its loop.
 * Exits 0, whatever happens.
 */
export const hookSessionStart = defineVerb({
  summary: 'Tell a session that starts again of its loop',
  flags: hookFlags,
  examples: ['loop hook session-start --host claude'],
  async run(call) {
    await answerHook('session-start', call, async (event, hook) => {
      const { store, heard } = hook
      if (store === undefined || (heard === 'unknown' && event.source !== 'clear')) return { do: 'allow' }
      if (heard === 'unknown') return (await import('../hook/cleared-loop.ts')).clearedLoop({ ...hook, store })
      const { greetSession } = await import('../hook/greet-session.ts')
      return greetSession(event, { ...hook, store })
    })
    return undefined
  },
})
