import { defineVerb } from '@switchyard/cli-kit'
import { openPlace } from '../worktree/open-place.ts'
import { findOurs, listOurs } from '../worktree/our-worktrees.ts'

/** `loop worktree path`: where a worktree lies. Exits 3 when there is none. */
export const worktreePath = defineVerb({
  summary: 'Print where a worktree lies',
  args: [{ name: 'id', summary: 'Its issue or name, or how that begins', complete: 'worktree' }],
  examples: ['cd "$(loop worktree path try-it)"'],
  async run({ args, cwd, env, now, output }) {
    const { facts } = findOurs(await listOurs(await openPlace({ cwd, env, now })), args.id)
    output.one(facts, { text: ({ path }) => path, id: ({ path }) => path })
  },
})
