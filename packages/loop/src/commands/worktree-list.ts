import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import { openPlace } from '../worktree/open-place.ts'
import { listOurs } from '../worktree/our-worktrees.ts'
import type { WorktreeFacts } from '../worktree/worktree-schema.ts'

/** `loop worktree list`: the worktrees that loop made here, and how each stands. */
export const worktreeList = defineVerb({
  summary: 'List the worktrees that loop made, and how each stands',
  examples: ['loop worktree list', 'loop worktree list --json'],
  async run({ cwd, env, now, output }) {
    const ours = await listOurs(await openPlace({ cwd, env, now }))
    output.list(
      ours.map(({ facts }) => facts),
      { ...shownWorktree, empty: 'no worktrees of loop' },
    )
  },
})

const shownWorktree: Shown<WorktreeFacts> = {
  text: ({ id, state, ahead, landed, base, run, alive, path }) => {
    const parts = [id, state]
    if (landed) parts.push(`landed on ${base}`)
    else if (ahead !== null && ahead > 0) parts.push(`${ahead} ahead of ${base}`)
    if (run !== null) parts.push(`run ${run}${alive ? '' : ', not alive'}`)
    return inRow([...parts, path].join('  '))
  },
  id: ({ id }) => id,
}
