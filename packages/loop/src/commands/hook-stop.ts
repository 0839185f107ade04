import { defineVerb } from '@switchyard/cli-kit'
import { lostLoop } from '../by-hook/lost-loop.ts'
import { answerHook, hookFlags } from '../hook/answer-hook.ts'
import { claimIn } from '../record/session-topic.ts'

/** What remains of the host's time for the answer to reach it. */
const marginMs = 15_000

/** `loop hook stop`: at the end of an agent's turn, whether its loop lets it stop. Exits 0, whatever happens. */
export const hookStop = defineVerb({
  summary: 'Answer the stop hook of an agent: it may stop, or what comes next',
  flags: {
    ...hookFlags,
    timeout: { type: 'duration', default: '10m', summary: 'Time that the host gives the hook; it answers sooner' },
  },
  examples: ['loop hook stop --host claude'],
  async run(call) {
    const { timeout } = call.flags
    const until = call.now() + Math.max(timeout / 2, timeout - marginMs)
    await answerHook('stop', call, async (event, hook) => {
      const { store, session, heard } = hook
      if (store === undefined) return { do: 'allow' }
      if (heard === 'unknown' && claimIn(event.lastMessage) === undefined) return lostLoop(store, session)
      const { answerStop } = await import('../hook/answer-stop.ts')
      return answerStop(event, { ...hook, store, until })
    })
    return undefined
  },
})
