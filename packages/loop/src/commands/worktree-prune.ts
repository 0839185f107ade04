import { defineVerb } from '@switchyard/cli-kit'
import { openPlace } from '../worktree/open-place.ts'
import { listOurs } from '../worktree/our-worktrees.ts'
import { shownRemoved } from '../worktree/shown-removed.ts'
import { prune } from '../worktree/take-away.ts'

/** `loop worktree prune`: removes worktrees of loop whose work has landed, and what is left of those without a folder. */
export const worktreePrune = defineVerb({
  summary: 'Remove the worktrees whose work has landed or whose folder is gone',
  examples: ['loop worktree prune'],
  async run({ cwd, env, now, output }) {
    const place = await openPlace({ cwd, env, now })
    const removed = await prune(place, await listOurs(place))
    output.list(removed, { ...shownRemoved, empty: 'nothing to prune' })
  },
})
