import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { mergeBranch } from '../worktree/merge.ts'
import { findOver } from '../worktree/own-worktree.ts'

/**
 * `scope worktree merge`: merges the branch of a session into the one that is checked out here. Exits 5 while it works,
 * where something is in no commit, or where the two conflict: then nothing has changed.
 */
export const worktreeMerge = defineVerb({
  summary: 'Merge the work of a session into the branch that is checked out here',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  examples: ['scope worktree merge 0'],
  async run(call) {
    const { yard, session, mark, standing } = await findOver(call, call.args.session)
    const { uncommitted } = standing
    if (uncommitted.length > 0) {
      const first = `${uncommitted[0]}${uncommitted.length > 1 ? ` and ${counted(uncommitted.length - 1, 'more file')}` : ''}`
      throw new Failure('conflict', `${mark.path} has changes that are in no commit: ${first}`, {
        hint: `commit them there, or have its agent do it: scope resume ${session.id} 'Commit your work'`,
        retryable: false,
      })
    }
    const message = `Merge ${mark.branch}: ${session.created.task}`
    const { commit, how } = await mergeBranch(yard.git, yard.repository.top, mark.branch, message)
    const merged = { v: 1, session: session.id, branch: mark.branch, commit, how }
    call.output.one(merged, { text: () => `${mark.branch}  ${how}  ${commit.slice(0, 12)}`, id: () => commit })
    return undefined
  },
})
