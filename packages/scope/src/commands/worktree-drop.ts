import { defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { openYard, requireOver, requireWorktree } from '../worktree/own-worktree.ts'
import { dropWorktree } from '../worktree/remove-worktree.ts'
import { standingOf } from '../worktree/standing.ts'

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
    const yard = openYard(call)
    const session = await look(scribeOf(call, yard.store), call.args.session)
    const mark = requireWorktree(yard, session)
    requireOver(session)
    const { commonDir } = yard.repository
    const { uncommitted, isMerged, commits } = await standingOf(yard.git, commonDir, mark)
    if (!call.flags.force && (uncommitted.length > 0 || !isMerged)) {
      const files = uncommitted.length === 0 ? [] : [`${counted(uncommitted.length, 'file')} in no commit`]
      const lost = [...files, ...(isMerged ? [] : [`${counted(commits, 'commit')} that nobody else has`])].join(' and ')
      throw new Failure('conflict', `the worktree of session ${session.id} has ${lost}`, {
        hint: `scope worktree merge ${session.id} keeps commits; --force drops all`,
        retryable: false,
      })
    }
    await dropWorktree(yard.git, { ...yard, commonDir }, mark)
    const dropped = { v: 1, session: session.id, path: mark.path, branch: mark.branch }
    call.output.one(dropped, { text: () => `dropped ${mark.path} and ${mark.branch}`, id: () => session.id })
    return undefined
  },
})
