import type { Shown } from '@switchyard/cli-kit'
import { inRow } from '@switchyard/cli-kit/in-row'
import type { RemovedWorktree } from './worktree-schema.ts'

/** What was taken away, and where its work is when it is not on the base. */
export const shownRemoved: Shown<RemovedWorktree> = {
  text: ({ id, path, branch, salvage }) => {
    const parts = [id, `removed ${path}`]
    if (salvage !== null) parts.push(`kept in ${salvage}`)
    if (branch !== null) parts.push(`branch ${branch} stays`)
    return inRow(parts.join('  '))
  },
  id: ({ id }) => id,
}
