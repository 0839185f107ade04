import { defineVerb } from '@switchyard/cli-kit'
import { diffOf } from '../worktree/diff.ts'
import { findOwned } from '../worktree/own-worktree.ts'

/** `scope worktree diff`: what a session has done in its worktree, committed or not, as a patch. Exits 3 without one. */
export const worktreeDiff = defineVerb({
  summary: 'Print what a session has done in its worktree, committed or not',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: { stat: { type: 'boolean', summary: 'Only which files, and how much of each' } },
  examples: ['scope worktree diff 0', 'scope worktree diff 0 --stat'],
  async run(call) {
    const { yard, mark } = await findOwned(call, call.args.session)
    const patch = await diffOf(yard.git, yard.repository.commonDir, mark, call.flags.stat === true)
    const { id: session, branch } = mark
    call.output.one({ v: 1, session, branch, patch }, { text: () => patch, id: () => session })
    return undefined
  },
})
