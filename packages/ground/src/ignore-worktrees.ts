import { appendFileSync } from 'node:fs'
import { orRefused, readIfThere } from './disk.ts'
import { join, mkdirSync } from './machine.ts'

/** Keeps the worktrees of the tools out of the user's `git status` without touching a tracked file. */
export function ignoreWorktrees({ commonDir }: { readonly commonDir: string }): void {
  const path = join(commonDir, 'info', 'exclude')
  const text = readIfThere(path) ?? ''
  if (text.split('\n').includes('/.worktrees/')) return
  orRefused(`${path} was to be written`, () => {
    mkdirSync(join(commonDir, 'info'), { recursive: true })
    appendFileSync(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}/.worktrees/\n`)
  })
}
