import { defineVerb } from '@switchyard/cli-kit'
import { answerLoopHook, hookFlags } from '../hook/answer-hook.ts'

/**
 * `loop hook pre-compact`: keeps what the loop of a session has to know once its conversation is compacted. Exits 0,
 * whatever happens.
 */
export const hookPreCompact = defineVerb({
  summary: 'Note what the loop of an agent has to know after a compaction',
  flags: hookFlags,
  examples: ['loop hook pre-compact --host claude'],
  async run(call) {
    await answerLoopHook('pre-compact', call, async (event, hook) => {
      const { writeAnchor } = await import('../hook/write-anchor.ts')
      return writeAnchor(event, hook)
    })
    return undefined
  },
})
