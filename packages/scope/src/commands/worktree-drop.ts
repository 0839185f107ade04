import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { findOver } from '../worktree/own-worktree.ts'
import { dropWorktree } from '../worktree/remove-worktree.ts'

/**
 * `scope worktree drop`: removes the worktree of a session and its branch; what the session was asked and has said
 * stays. Exits 5 while it works, or where work would be lost.
 */
export const worktreeDrop = defineVerb({
  summary: 'Remove the worktree of a session, and its branch',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: { force: { type: 'boolean', summary: 'Also where work is lost with it' } },
  examples: ['scope worktree drop 0'],
  async run(call) {
    const { yard, session, mark, standing } = await findOver(call, call.args.session)
    const { uncommitted, isMerged, commits } = standing
    if (!call.flags.force && (uncommitted.length > 0 || !isMerged)) {
      const files = uncommitted.length === 0 ? [] : [`${counted(uncommitted.length, 'file')} in no commit`]
      const lost = [...files, ...(isMerged ? [] : [`${counted(commits, 'commit')} that nobody else has`])].join(' and ')
      throw new Failure('conflict', `the worktree of session ${session.id} has ${lost}`, {
        hint: `scope worktree merge ${session.id} keeps commits; --force drops all`,
        retryable: false,
      })
    }
    await dropWorktree(yard.git, { ...yard, commonDir: yard.repository.commonDir }, mark)
    const dropped = { v: 1, session: session.id, path: mark.path, branch: mark.branch }
    call.output.one(dropped, { text: () => `dropped ${mark.path} and ${mark.branch}`, id: () => session.id })
    return undefined
  },
})
