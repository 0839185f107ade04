// Giving up the worktree of a session for a while: all that is in no commit goes into commits of the pause on its
// branch, and what git ignores beside. Whatever is killed, the next call goes on; nothing is removed before it is kept.
import { existsSync } from 'node:fs'
import { Failure } from '@switchyard/ground/failure'
import { asideOf, moveOver } from './aside.ts'
import { commitOf, type Git } from './git.ts'
import { type Keeper, writeMark } from './mark.ts'
import type { Mark } from './mark-schema.ts'
import { takeAway } from './remove-worktree.ts'
import { proveTree, type TreePlace, treesOf } from './tree-place.ts'

type Where = Keeper & { readonly commonDir: string }

/** Whether there is anything to give up. A folder that somebody removed has nothing. */
const isThere = ({ path, removing }: Mark) => removing === undefined && existsSync(path)

/** Fails as `conflict` where something in it could not be kept. Changes nothing. */
export async function requireParkable(git: Git, { commonDir }: Where, mark: Mark): Promise<void> {
  if (isThere(mark)) await treesOf(await proveTree(git, commonDir, mark))
}

/** Gives it up; returns the branch's newest commit where one was made, else null. */
export async function parkWorktree(git: Git, where: Where, mark: Mark): Promise<string | null> {
  let kept = mark
  if (isThere(mark)) {
    const place = await proveTree(git, where.commonDir, mark)
    kept = await keepWork(git, place, where, mark)
    await setAside(place, mark)
  }
  if (kept.parked === undefined) return null
  await finish(git, where, kept)
  return kept.parked.tip === kept.parked.from ? null : kept.parked.tip
}

/** Removes the folder, once all of it is kept. */
async function finish(git: Git, where: Where, { removing: _, ...mark }: Mark): Promise<void> {
  writeMark(where, { ...mark, removing: 'worktree' })
  await takeAway(git, where.commonDir, mark)
  writeMark(where, mark)
}

/** The mark with what was kept. Commits of a pause that was cut short are made anew: more may have come in since. */
async function keepWork(git: Git, place: TreePlace, where: Where, mark: Mark): Promise<Mark> {
  const { commonDir } = where
  const ref = `refs/heads/${mark.branch}`
  const tip = await commitOf(git, commonDir, ref)
  if (tip === undefined) throw new Failure('conflict', `the branch ${mark.branch} is gone`, { retryable: false })
  const from = mark.parked?.tip === tip ? mark.parked.from : tip
  const { index, files } = await treesOf(place)
  const staged = await commitUnless(place, from, index, `scope pause of session ${mark.id}: what was staged`)
  const last = await commitUnless(place, staged, files, `scope pause of session ${mark.id}: what was in no commit`)
  const parked = { ...mark, parked: { from, tip: last, index } }
  writeMark(where, parked)
  if (last !== tip) await git.run(commonDir, ['update-ref', '-m', 'scope pause', ref, last, tip])
  return parked
}

/** A commit of a tree, or the one before it where that has the same. Whoever pauses need not have a name. */
async function commitUnless(place: TreePlace, before: string, tree: string, message: string): Promise<string> {
  if ((await place.run(['rev-parse', `${before}^{tree}`])) === tree) return before
  const who = ['user.name=scope', 'user.email=scope@localhost'].flatMap((setting) => ['-c', setting])
  return place.run([...who, 'commit-tree', '-p', before, '-m', message, tree])
}

async function setAside({ path, run }: TreePlace, mark: Mark): Promise<void> {
  const listed = await run(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'])
  for (const name of listed.split('\0').filter(Boolean)) {
    const below = name.replace(/\/$/, '')
    const [left] = moveOver(`${path}/${below}`, `${asideOf(mark)}/${below}`)
    if (left === undefined) continue
    throw new Failure('conflict', `${left} cannot wait in ${asideOf(mark)}, where something is there already`, {
      hint: 'move one of them away',
      retryable: false,
    })
  }
}
