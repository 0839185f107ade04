import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { folderIn } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { ignoreWorktrees } from '@switchyard/ground/ignore-worktrees'
import { gitSays } from '@switchyard/ground/mechanical-git'
import { type Repository, rootOf } from '@switchyard/ground/repository'
import type { Store } from '@switchyard/topic'
import type { ProcessOf, WorktreePart } from '../session/event-schema.ts'
import { asideOf } from './aside.ts'
import { commitOf, type Git } from './git.ts'
import { type Keeper, writeMark } from './mark.ts'
import type { Mark } from './mark-schema.ts'
import { clearWorktree } from './remove-worktree.ts'
import { setUpWorktree } from './set-up.ts'
import { branchIsThere, type Wish } from './wish.ts'

/** Where the worktree of a session lies. Fails as `conflict` where a link is in the way. */
export const worktreePath = ({ commonDir }: Pick<Repository, 'commonDir'>, id: string) =>
  join(folderIn({ path: rootOf(commonDir) }, '.worktrees/scope'), id)

/** What git is told about a session, so that what it starts is found by whoever ends what a session has left. */
const markOfGit = (store: Store, id: string) => ({ SCOPE_DIR: store.path, SCOPE_SUPERVISES: id })

/**
 * Makes the worktree and the branch of a session, and sets it up. What fails leaves neither. Exits 5 when one of them
 * is there, 8 when git refuses or what sets it up fails.
 */
export async function makeWorktree(
  git: Git,
  { store, env, id, maker }: Keeper & { readonly id: string; readonly maker: ProcessOf },
  { repository, base, from, branch: wanted, setUp }: Wish,
): Promise<WorktreePart> {
  const { commonDir } = repository
  const branch = wanted ?? `scope/${id}`
  const path = worktreePath(repository, id)
  if ((await commitOf(git, commonDir, `refs/heads/${branch}`)) !== undefined) throw branchIsThere(branch)
  for (const taken of [path, asideOf({ path })].filter((one) => lstatAt(one) !== undefined))
    throw new Failure('conflict', `${taken} lies there already`, { hint: 'move it away' })
  ignoreWorktrees(repository)
  const mark: Mark = { v: 1, id, path, branch, from, maker }
  writeMark({ store, env }, mark)
  try {
    mkdirSync(dirname(path), { recursive: true })
    await addWorktree(git, { store, commonDir, id, path }, ['-b', branch, path, from])
    if (setUp !== undefined)
      await setUpWorktree(git, { store, id, env, marks: markOfGit(store, id), commonDir, path }, setUp)
  } catch (error) {
    await clearWorktree(git, { store, env, commonDir }, mark)
    throw error
  }
  return { path, branch, base, from }
}

type Place = {
  readonly store: Store
  readonly commonDir: string
  readonly id: string
  readonly path: string
}

/** Has git make a worktree, which it then keeps until it is told otherwise. */
export async function addWorktree(
  git: Git,
  { store, commonDir, id, path }: Place,
  what: readonly string[],
): Promise<void> {
  const lock = ['--lock', '--reason', `scope ${id}`]
  const { exitCode, stderr } = await git.try(
    commonDir,
    ['worktree', 'add', '--quiet', ...lock, ...what],
    markOfGit(store, id),
  )
  if (exitCode === 0 && existsSync(path)) return
  throw new Failure('outside', `git would not make the worktree ${path}: ${gitSays(stderr)}`, { retryable: false })
}
