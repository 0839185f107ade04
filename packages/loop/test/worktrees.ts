import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnv, git, tempFolder, toolPath } from '@switchyard/testkit'
import { worktreeFacts } from '../src/worktree/worktree-schema.ts'
import { ok, type Place, write } from './place.ts'

export const worktree = (at: Place, ...args: string[]) => at.loop('worktree', ...args)
/** What a shell prints that runs a line in a worktree, as the guide says. `$0` is its id. */
export const there = (at: Place, id: string, line: string) => {
  const script = `cd "$(loop worktree path "$0")" && { ${line}; }`
  const env = { ...cleanEnv(), PATH: toolPath() }
  return execFileSync('sh', ['-c', script, id], {
    cwd: at.root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
export const add = (at: Place, ...args: string[]) => ok(worktree(at, 'add', ...args)).stdout.trim()
export const list = (at: Place) => worktreeFacts.array().parse(JSON.parse(ok(worktree(at, 'list', '--json')).stdout))
export const refs = (root: string) => git(root, 'for-each-ref', '--format=%(refname)', 'refs/loop', 'refs/heads/loop')
export const commit = (path: string, message: string) => {
  git(path, 'add', '--all')
  git(path, 'commit', '-qm', message)
}

/** A commit with a file `parked.txt` on a branch that is not checked out. */
export function commitOn(at: Place, branch: string): void {
  const elsewhere = join(tempFolder('elsewhere'), 'w')
  git(at.root, 'worktree', 'add', '-q', elsewhere, branch)
  write(elsewhere, 'parked.txt', 'parked\n')
  commit(elsewhere, 'parked')
  git(at.root, 'worktree', 'remove', elsewhere)
}
