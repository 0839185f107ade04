import { defineVerb } from '@switchyard/cli-kit'
import { answerHook, hookFlags } from '../hook/answer-hook.ts'
import { answerTool, unjudgedAnswer } from '../hook/answer-tool.ts'

/** `loop hook pre-tool`: whether an agent may use a tool. Exits 0, whatever it says; loop or no loop. */
export const hookPreTool = defineVerb({
  summary: 'Answer the tool hook of an agent: whether the tool may be used',
  flags: hookFlags,
  examples: ['loop hook pre-tool --host claude'],
  async run(call) {
    const failed = (error: unknown) => unjudgedAnswer(error, call.env)
    await answerHook(
      'pre-tool',
      call,
      async (event, { store, folder, heard, session, env }) => {
        const isBound = store !== undefined && heard !== 'unknown' && event.tool.kind !== 'other'
        const bound = isBound ? await import('../record/bound-worktree.ts') : undefined
        const repository = folder === event.cwd ? store?.repository : undefined
        return answerTool({ event, env, repository, worktree: store && bound?.boundWorktree(store, session, env) })
      },
      failed,
    )
    return undefined
  },
})
