// `loop worktree add`: a worktree of one's own, made as a run makes them, but held by nobody.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { orRefusedLater } from '@switchyard/ground/disk'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { ignoreWorktrees } from '@switchyard/ground/ignore-worktrees'
import { holdLock } from '@switchyard/jsonl'
import { requireTrusted } from '../config/read-config.ts'
import { findAdminFolder } from './admin-folder.ts'
import { environmentAt } from './environment.ts'
import type { WorktreePlace } from './open-place.ts'
import { isHalfMade, readRecord, type WorktreeRecord, writeRecord } from './record.ts'
import { commitOf } from './ref-files.ts'
import { removeWorktree } from './remove-worktree.ts'
import { listWorktrees, tipOf } from './repository.ts'
import { setUpWorktree } from './set-up.ts'
import { slugOf, type Worktree, worktreeOf } from './slug.ts'
import { makeWorktreesFolder } from './worktree.ts'

/** `at` is any commit; without it work starts at the tip of `base`, or where the branch is that is already there. */
export type Wanted = {
  id: string
  isIssue: boolean
  base: string
  at: string | undefined
  setsUp: boolean
  timeoutMs: number
  note: (text: string) => void
}

const busyMs = 300

/**
 * Makes the worktree, wholly set up or not at all. A branch that is there already, as of a parked issue, is checked
 * out as it is. Failure `conflict` when there is such a worktree, when another makes it, or when its branch is checked
 * out elsewhere; `failed` when its set-up does.
 */
export async function makeWorktree(place: WorktreePlace, wanted: Wanted): Promise<Worktree> {
  const { repository } = place
  if (wanted.setsUp) requireTrusted(place.config(), 'worktree.setup', 'worktree.copy')
  const worktree = worktreeOf(repository, slugOf(wanted.id))
  ignoreWorktrees(repository)
  makeWorktreesFolder(repository)
  try {
    const lock = join(repository.commonDir, `loop-worktree-${worktree.slug}`)
    await orRefusedLater(`${worktree.path} was to be made`, () =>
      holdLock(lock, () => make(place, worktree, wanted), { deadlineMs: busyMs }),
    )
  } catch (error) {
    if (!(isFailure(error) && error.kind === 'lockTimeout')) throw error
    throw new Failure('conflict', `the worktree of ${wanted.id} is being made by another`, { hint: 'try again' })
  }
  return worktree
}

async function make(place: WorktreePlace, worktree: Worktree, wanted: Wanted): Promise<void> {
  const { git, repository } = place
  const { path } = worktree
  const listed = (await listWorktrees(git, repository.here)).find((entry) => entry.path === path)
  const known = readRecord(repository.commonDir, path)
  const admin = findAdminFolder(repository.commonDir, path)
  if (listed !== undefined && existsSync(path) && !isHalfMade(admin)) {
    if (known?.ready === true || listed.locked !== null) throw isThere(wanted.id)
    // Without a record: whoever made it was killed before it could write one.
    const half = known ?? (await begin(place, path, wanted, listed.head ?? `refs/heads/${worktree.branch}`))
    return setUp(place, worktree, wanted, half, false)
  }
  if (listed !== undefined) await removeWorktree(git, repository, worktree, { keepBranch: true })
  if (existsSync(path)) {
    throw new Failure('conflict', `${path} lies there, and git knows no worktree of it`, { hint: 'move it away' })
  }
  const { from, isNew } = await addBranch(place, worktree, wanted)
  await setUp(place, worktree, wanted, await begin(place, path, wanted, from), isNew)
}

/** Notes what is being set up. `at` is the commit that the worktree was made at, or its branch is at. */
async function begin(
  { git, repository }: WorktreePlace,
  path: string,
  { id, isIssue, base }: Wanted,
  at: string,
): Promise<WorktreeRecord> {
  const fork = await git.try(repository.here, ['merge-base', at, `refs/heads/${base}`])
  const from = fork.exitCode === 0 ? fork.stdout.trim() : at
  const record = { v: 1, id, issue: isIssue, base, from, ready: false } as const
  writeRecord(repository.commonDir, path, record)
  return record
}

const isThere = (id: string) =>
  new Failure('conflict', `${id} has a worktree already`, { hint: `see loop worktree path ${id}`, retryable: false })

/** Where the work begins, and whether the branch was made for it. */
async function addBranch(
  { git, repository }: WorktreePlace,
  { path, branch }: Worktree,
  { base, at }: Wanted,
): Promise<{ from: string; isNew: boolean }> {
  const there = await commitOf(git, repository, `refs/heads/${branch}`)
  const isNew = there === undefined
  if (!isNew && at !== undefined) {
    throw new Failure('conflict', `the branch ${branch} is there already, and begins elsewhere`, {
      hint: 'leave out --base to go on with it',
      retryable: false,
    })
  }
  const from = isNew ? (at ?? (await tipOf(git, repository, base))) : there
  const what = isNew ? ['-b', branch, path, from] : [path, branch]
  const added = await git.try(repository.here, ['worktree', 'add', '--quiet', ...what])
  if (added.exitCode === 0) return { from, isNew }
  const said =
    added.stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^fatal: /, '') ?? ''
  const isHeld = /already (checked out|used by|exists)/.test(said)
  throw new Failure(isHeld ? 'conflict' : 'outside', `git would not make the worktree: ${said}`, { retryable: false })
}

async function setUp(
  place: WorktreePlace,
  worktree: Worktree,
  { id, isIssue, setsUp, timeoutMs, note }: Wanted,
  record: WorktreeRecord,
  isNewBranch: boolean,
): Promise<void> {
  const { git, repository } = place
  const env = environmentAt(place, { path: worktree.path, issue: isIssue ? id : null, run: null })
  const config = place.config()
  const options = { settings: config.worktree, timeoutMs, env, note }
  if (!setsUp) return writeRecord(repository.commonDir, worktree.path, { ...record, ready: true })
  const broken = await setUpWorktree(place, worktree, options)
  if (broken === undefined) return
  const [what = '', ...output] = broken.split('\n')
  if (output.length > 0) note(output.join('\n'))
  await removeWorktree(git, repository, worktree, { keepBranch: !isNewBranch })
  throw new Failure('failed', what, { hint: 'mend it in loop.json, or use --no-setup' })
}
