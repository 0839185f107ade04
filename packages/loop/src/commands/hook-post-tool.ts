import { defineVerb } from '@switchyard/cli-kit'
import { answerHook, hookFlags } from '../hook/answer-hook.ts'
import { claimsIn } from '../record/session-topic.ts'

const begins = /\bloop\s+start\b/

/**
 * `loop hook post-tool`: for a host whose commands do not know their session. The session whose tool has just run
 * `loop start` takes on what that began. Exits 0, whatever happens.
 */
export const hookPostTool = defineVerb({
  summary: 'Give what loop start began to the session whose tool ran it',
  flags: hookFlags,
  examples: ['loop hook post-tool --host gemini'],
  async run(call) {
    await answerHook('post-tool', call, async ({ tool, result }, { store, session, env, now }) => {
      const isStart = tool.kind === 'shell' && begins.test(tool.command ?? '')
      // Ids are in order of time: of several that it printed the last is the one that it began itself.
      const claim = isStart ? claimsIn(result).toSorted().at(-1) : undefined
      if (store === undefined || claim === undefined) return { do: 'allow' }
      const { takeOn } = await import('../by-hook/take-on.ts')
      await takeOn(claim, session, { store, env, now })
      return { do: 'allow' }
    })
    return undefined
  },
})
