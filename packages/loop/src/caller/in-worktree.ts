import { sep } from 'node:path'

/** Whether a folder is a worktree that loop made, or in one. */
export const isInWorktree = (cwd: string) => `${cwd}${sep}`.includes(`${sep}.worktrees${sep}loop${sep}`)
