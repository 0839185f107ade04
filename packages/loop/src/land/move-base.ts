import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { entriesIn, readIfThere } from '@switchyard/ground/disk'
import { gitSays } from '@switchyard/ground/mechanical-git'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { isOnBranch } from '../worktree/ref-files.ts'
import { listWorktrees, type Repository, tipOf } from '../worktree/repository.ts'
import { personsTree } from '../worktree/tree-place.ts'

/** How moving the base ended. `raced`: it is no longer at the commit it was expected at. */
export type BaseMove = { end: 'advanced' } | { end: 'raced' } | { end: 'refused'; reason: string }

const lockedAttempts = 20
const lockedWaitMs = 300

/**
 * Moves the base forward from `before` to `sha`, a descendant. Where it is checked out, git itself merges
 * fast-forward there and refuses to overwrite the user's changes; where it is not, the ref is compared and swapped.
 */
export async function moveBase(
  git: Git,
  repository: Repository,
  { base, before, sha, reason }: { base: string; before: string; sha: string; reason: string },
): Promise<BaseMove> {
  const worktrees = await listWorktrees(git, repository.here)
  const paths = worktrees.map(({ path }, index) => (index === 0 ? repository.mainTree : path))
  const checkedOut = paths.filter(
    (path, index) => worktrees[index]?.branch === base && !worktrees[index]?.bare && existsSync(path),
  )
  const busy = findBusy(repository, base)
  if (busy !== undefined) return { end: 'refused', reason: `${base} is being rebased or bisected in ${busy}` }
  const [there] = checkedOut
  if (there !== undefined) return mergeThere(git, repository, personsTree(repository, there), { base, before, sha })
  const moved = await git.try(repository.here, ['update-ref', '-m', reason, `refs/heads/${base}`, sha, before])
  if (moved.exitCode === 0) return { end: 'advanced' }
  if ((await tipOf(git, repository, base)) !== before) return { end: 'raced' }
  return { end: 'refused', reason: gitSays(moved.stderr) }
}

async function mergeThere(
  git: Git,
  repository: Repository,
  there: GitPlace,
  { base, before, sha }: { base: string; before: string; sha: string },
): Promise<BaseMove> {
  for (let attempt = 1; ; attempt++) {
    if ((await tipOf(git, repository, base)) !== before) return { end: 'raced' }
    if (!(await isCheckedOut(git, there, base))) return { end: 'raced' }
    const merged = await git.try(there, ['merge', '--ff-only', '--quiet', sha])
    const tip = await tipOf(git, repository, base)
    if (tip === sha) return { end: 'advanced' }
    if (tip !== before) return { end: 'raced' }
    const isLocked = /index\.lock|cannot lock ref/.test(merged.stderr)
    if (!isLocked || attempt === lockedAttempts)
      return { end: 'refused', reason: `${there.workTree}: ${gitSays(merged.stderr)}` }
    await sleep(lockedWaitMs)
  }
}

async function isCheckedOut(git: Git, there: GitPlace, base: string): Promise<boolean> {
  there.prove()
  if (isOnBranch(there, base)) return true
  return (await git.try(there, ['symbolic-ref', '--short', '--quiet', 'HEAD'])).stdout.trim() === base
}

const busyFiles = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']

/**
 * The worktree in which a branch is being rebased or bisected: it is detached there, and the ref is moved at the end
 * from where it was. Read from git's own files, because other workers' worktrees come and go meanwhile.
 */
function findBusy({ commonDir, mainTree }: Repository, base: string): string | undefined {
  const isBusy = (gitDir: string) =>
    busyFiles.some((name) => textAt(join(gitDir, name)).replace(/^refs\/heads\//, '') === base)
  if (isBusy(commonDir)) return mainTree
  const linked = entriesIn(join(commonDir, 'worktrees')).map(({ name }) => join(commonDir, 'worktrees', name))
  const busy = linked.find(isBusy)
  return busy === undefined ? undefined : dirname(textAt(join(busy, 'gitdir')))
}

const textAt = (path: string) => readIfThere(path)?.trim() ?? ''
