// The worktrees that loop made in a repository, and how each stands.
import { basename, dirname } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { withoutStores } from '@switchyard/ground/store-paths'
import type { ListedWorktree } from '@switchyard/ground/worktree-list'
import type { Git } from '../programs/git.ts'
import type { GitPlace } from '../programs/git-place.ts'
import { isRunAlive } from '../record/run-folder.ts'
import { isWithin } from './commits.ts'
import { findHarm } from './harm.ts'
import { lostRun, runOf } from './lost-run.ts'
import type { WorktreePlace } from './open-place.ts'
import { readRecord, type WorktreeRecord } from './record.ts'
import { listWorktrees, type Repository } from './repository.ts'
import { type Worktree, worktreeOf, worktreesFolder } from './slug.ts'
import { placeOf } from './tree-place.ts'
import type { WorktreeFacts } from './worktree-schema.ts'

/**
 * `locked`: git's own lock on it, whoever set it; `isLost`: by a run that no bus knows. `head` is null before the first
 * commit.
 */
export type OurWorktree = {
  worktree: Worktree
  head: string | null
  locked: boolean
  isLost: boolean
  facts: WorktreeFacts
}

/** Worktrees below `.worktrees/loop`, in git's order, or the one at `only`; others are none of loop's business. */
export async function listOurs(place: WorktreePlace, only?: string): Promise<OurWorktree[]> {
  const { git, repository } = place
  const folder = worktreesFolder(repository)
  const listed = (await listWorktrees(git, repository.here)).filter(
    ({ path }) => dirname(path) === folder && (only === undefined || path === only),
  )
  if (listed.length === 0) return []
  const base = await place.base()
  const found: OurWorktree[] = []
  for (const entry of listed) found.push(await lookAt(place, entry, base))
  return found
}

async function lookAt(place: WorktreePlace, listed: ListedWorktree, base: string | undefined): Promise<OurWorktree> {
  const { git, repository, bus } = place
  const { path, head, branch, locked } = listed
  const worktree = worktreeOf(repository, basename(path))
  const record = readRecord(repository.commonDir, path)
  const run = runOf(locked)
  const target = record?.base ?? base
  const standing = await compare(git, repository.here, head, target, record?.from)
  const facts: WorktreeFacts = {
    id: record?.id ?? worktree.slug,
    issue: record?.issue ? record.id : null,
    ...{ path, branch, base: target ?? null, run: run ?? null },
    alive: run !== undefined && isRunAlive(repository.commonDir, run),
    state: await stateOf(git, repository, worktree, record),
    ...standing,
  }
  const isLost = lostRun(repository.commonDir, bus, listed) !== undefined
  return { worktree, head, locked: locked !== null, isLost, facts }
}

async function stateOf(
  git: Git,
  repository: Repository,
  worktree: Worktree,
  record: WorktreeRecord | undefined,
): Promise<WorktreeFacts['state']> {
  const harm = findHarm(repository.commonDir, worktree)
  if (harm !== undefined) return harm === 'is gone' ? 'missing' : 'broken'
  if (await isDirty(git, placeOf(repository, worktree))) return 'dirty'
  return record?.ready === false ? 'unready' : 'clean'
}

/** Whether something is there that is neither committed, ignored, nor a store of the suite. */
async function isDirty(git: Git, at: GitPlace): Promise<boolean> {
  const asked = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=none', '--', ':/']
  return (await git.run(at, [...asked, ...withoutStores])) !== ''
}

async function compare(
  git: Git,
  here: GitPlace,
  head: string | null,
  base: string | undefined,
  from: string | undefined,
): Promise<{ ahead: number | null; landed: boolean }> {
  if (head === null || base === undefined) return { ahead: null, landed: false }
  const tip = `refs/heads/${base}`
  const counted = await git.try(here, ['rev-list', '--count', `${tip}..${head}`])
  if (counted.exitCode !== 0) return { ahead: null, landed: false }
  const landed = from !== undefined && head !== from && (await isOnBase(git, here, head, tip))
  return { ahead: Number(counted.stdout), landed }
}

/** Whether the base has the commit, or all that merging it would bring, as after a squash. */
export async function isOnBase(git: Git, here: GitPlace, commit: string, base: string): Promise<boolean> {
  if (await isWithin(git, here, commit, base)) return true
  const merged = await git.try(here, ['merge-tree', '--write-tree', base, commit])
  if (merged.exitCode !== 0) return false
  return merged.stdout.trim() === (await git.run(here, ['rev-parse', '--verify', `${base}^{tree}`]))
}

/**
 * The worktree that a word means: its id, the name of its folder, or the beginning of one that no other begins with.
 * Failures `notFound` and `ambiguous`.
 */
export function findOurs(ours: readonly OurWorktree[], wanted: string): OurWorktree {
  const exact = ours.find(({ facts, worktree }) => facts.id === wanted || worktree.slug === wanted)
  if (exact !== undefined) return exact
  const begins = ours.filter(({ facts, worktree }) => facts.id.startsWith(wanted) || worktree.slug.startsWith(wanted))
  const [first] = begins
  if (first === undefined || wanted === '') {
    throw new Failure('notFound', `expected a worktree of loop, ${wanted} names none`, {
      hint: 'see loop worktree list',
    })
  }
  if (begins.length === 1) return first
  const names = begins.map(({ facts }) => facts.id).join(', ')
  throw new Failure('ambiguous', `expected one worktree, ${wanted} begins ${names}`, { hint: 'write more of it' })
}
