import { defineVerb } from '@switchyard/cli-kit'
import { openPlace } from '../worktree/open-place.ts'
import { findOurs, listOurs } from '../worktree/our-worktrees.ts'
import { shownRemoved } from '../worktree/shown-removed.ts'
import { takeAway } from '../worktree/take-away.ts'

/**
 * `loop worktree remove`: takes a worktree and its branch away. Exits 5 when it holds work that has not landed, is
 * locked, or belongs to a living run; `--force` keeps the work in a ref first.
 */
export const worktreeRemove = defineVerb({
  summary: 'Remove a worktree whose work has landed',
  args: [{ name: 'id', summary: 'Its issue or name, or how that begins', complete: 'worktree' }],
  flags: {
    force: { type: 'boolean', summary: 'Also with work that has not landed, which is kept in a ref first' },
  },
  examples: ['loop worktree remove other', 'loop worktree remove try-it --force'],
  async run({ args, flags, cwd, env, now, output }) {
    const place = await openPlace({ cwd, env, now })
    output.one(await takeAway(place, findOurs(await listOurs(place), args.id), flags), shownRemoved)
  },
})
