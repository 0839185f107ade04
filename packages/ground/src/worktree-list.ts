/** One worktree as `git worktree list --porcelain -z` prints it. `locked` is the reason, empty when none was given. */
export type ListedWorktree = {
  path: string
  head: string | null
  branch: string | null
  bare: boolean
  locked: string | null
}

/** Parses `git worktree list --porcelain -z`. The main worktree comes first. */
export function parseWorktreeList(text: string): ListedWorktree[] {
  return text
    .split('\0\0')
    .filter((block) => block !== '')
    .map((block) => {
      const fields = new Map(
        block.split('\0').map((line) => {
          const space = line.indexOf(' ')
          return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]
        }),
      )
      return {
        path: fields.get('worktree') ?? '',
        head: fields.get('HEAD') ?? null,
        branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
        bare: fields.has('bare'),
        locked: fields.get('locked') ?? null,
      }
    })
}
