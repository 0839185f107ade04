import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { type Paused, pauseTree } from '../end/pause-tree.ts'
import type { PausedView } from '../end/paused-schema.ts'
import { scribeOf } from '../session/bus.ts'
import { callingSessions, isWithin } from '../session/callers.ts'
import { findSession } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'
import { openGit } from '../worktree/git.ts'

/**
 * `scope pause`: ends the agents of sessions and of all below them, keeps what is in no commit in commits of the pause
 * on their branches, and removes their worktrees. Exits 3 when one does not exist, 5 when one is over, or something in
 * its worktree could not be kept.
 */
export const pause = defineVerb({
  summary: 'End the agents of sessions, keep their work on its branch, and free their worktrees',
  args: [{ name: 'session', summary: 'Ids or names', rest: true, complete: 'session' }],
  flags: {},
  examples: ['scope pause 0', 'scope pause 0 && git checkout scope/0'],
  async run(call) {
    const { args, env, output } = call
    if (args.session.length === 0) throw new Failure('usage', 'expected sessions to pause, got none')
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const ids = [...new Set(args.session.map((name) => findSession(store, name).id))]
    const own = callingSessions(store, env)
    for (const id of ids) {
      if (!own.some((caller) => isWithin(caller, id))) continue
      throw new Failure('conflict', `session ${id} cannot pause itself`, {
        hint: 'have a person do it',
        retryable: false,
      })
    }
    for (const id of ids) {
      const paused = await pauseTree(scribe, id, { env, git: openGit(env), repository: store.repository })
      for (const view of paused.map(viewOf)) output.each(view, { text: lineOf, id: (one) => one.id })
    }
    return undefined
  },
})

const viewOf = ({ session: { id, state }, mark, commit }: Paused): PausedView => ({
  ...{ v: 1, id, status: state, turn: 'paused', worktree: mark?.path ?? null, branch: mark?.branch ?? null, commit },
})

function lineOf({ id, branch, commit }: PausedView): string {
  if (branch === null) return `session ${id} is paused`
  const kept = commit === null ? '' : `, what was in no commit in ${commit.slice(0, 12)}`
  return `session ${id} is paused; its work is on ${branch}${kept}`
}
