import { defineVerb } from '@switchyard/cli-kit'
import { answerLoopHook, hookFlags } from '../hook/answer-hook.ts'

/** The reviewer as it is, or as a plugin names it. Hosts also call this hook for compactions, without a type. */
const reviewer = /^(?:[^:]+:)*reviewer$/

/** `loop hook subagent-stop`: takes the verdict with which a reviewer ends. Exits 0, whatever happens. */
export const hookSubagentStop = defineVerb({
  summary: 'Take the verdict of a reviewer; hold it until it gave one and had a second opinion',
  flags: hookFlags,
  examples: ['loop hook subagent-stop --host claude'],
  async run(call) {
    await answerLoopHook('subagent-stop', call, async (event, hook) => {
      if (!reviewer.test(event.agentType ?? '')) return { do: 'allow' }
      const { holdReviewer } = await import('../hook/hold-reviewer.ts')
      return holdReviewer(event, hook)
    })
    return undefined
  },
})
