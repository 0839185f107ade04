import { type Context, defineVerb } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { Failure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import { findSession } from '../session/read-session.ts'
import { sessionLock } from '../session/scope-store.ts'
import { requireNobodyIn } from '../worktree/beside.ts'
import { findOver, openYard } from '../worktree/own-worktree.ts'
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
    const { store } = openYard(call)
    const { id } = findSession(store, call.args.session)
    const isForced = call.flags.force === true
    // Nobody goes on with it between the look and the end.
    const mark = await holdLock(sessionLock(store, id), () => drop(call, id, isForced))
    const dropped = { v: 1, session: id, path: mark.path, branch: mark.branch }
    call.output.one(dropped, { text: () => `dropped ${mark.path} and ${mark.branch}`, id: () => id })
    return undefined
  },
})

async function drop(call: Context, id: string, isForced: boolean) {
  const { yard, mark, standing } = await findOver(call, id)
  const { uncommitted, isMerged, commits, tip } = standing
  requireNobodyIn(yard.store, mark.path, new Set([id]))
  if (!isForced && (uncommitted.length > 0 || !isMerged)) {
    const files = uncommitted.length === 0 ? [] : [`${counted(uncommitted.length, 'file')} in no commit`]
    const lost = [...files, ...(isMerged ? [] : [`${counted(commits, 'commit')} that nobody else has`])].join(' and ')
    throw new Failure('conflict', `the worktree of session ${id} has ${lost}`, {
      hint: `scope worktree merge ${id} keeps commits; --force drops all`,
      retryable: false,
    })
  }
  await dropWorktree(yard.git, { ...yard, commonDir: yard.repository.commonDir }, { ...mark, tip })
  return mark
}
