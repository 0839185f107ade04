// Taking worktrees away: what is in them has landed, or is kept in a ref before anything else happens.
import { isAbsolute, relative } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import type { WorktreePlace } from './open-place.ts'
import { isOnBase, type OurWorktree } from './our-worktrees.ts'
import { commitOf } from './ref-files.ts'
import { removeWorktree } from './remove-worktree.ts'
import { saveHarmed } from './save-harmed.ts'
import { snapshot } from './snapshot.ts'
import { placeOf } from './tree-place.ts'
import { salvage } from './worktree.ts'
import type { RemovedWorktree } from './worktree-schema.ts'

/**
 * Keeps the state of a worktree in a new ref, committed or not, and changes nothing in it. Undefined when all of it is
 * on the base.
 */
export async function salvageState(place: WorktreePlace, ours: OurWorktree): Promise<string | undefined> {
  const { git, repository, identity, now } = place
  const { worktree, facts } = ours
  const branch = await tipOfBranch(place, worktree.branch)
  const named = ulid(now()).toLowerCase()
  if (facts.state === 'broken') {
    const base = facts.base === null ? 'HEAD' : `refs/heads/${facts.base}`
    return saveHarmed(git, repository, worktree, { run: named, base, message: messageOf(facts), identity })
  }
  const commit = facts.state === 'missing' ? (branch ?? ours.head) : await stateOf()
  if (commit === null || (await isSafe(place, facts.base, commit))) return undefined
  return salvage(git, repository, worktree.slug, named, commit)

  function stateOf(): Promise<string> {
    const also = branch === undefined ? {} : { also: branch }
    return snapshot(git, placeOf(repository, worktree), { message: messageOf(facts), identity, ...also })
  }
}

function messageOf({ id, issue }: OurWorktree['facts']): string {
  return `State of the worktree of ${id}\n${issue === null ? '' : `\nIssue: ${issue}\n`}`
}

function tipOfBranch({ git, repository }: WorktreePlace, branch: string): Promise<string | undefined> {
  return commitOf(git, repository, `refs/heads/${branch}`)
}

async function isSafe({ git, repository }: WorktreePlace, base: string | null, commit: string): Promise<boolean> {
  return base !== null && (await isOnBase(git, repository.here, commit, `refs/heads/${base}`))
}

/**
 * Removes a worktree and its branch. Work that has not landed is refused as `conflict`, or with `force` kept in a ref
 * first. What a living run holds is never removed, what is locked only with `force`, unless its run is lost.
 */
export async function takeAway(
  place: WorktreePlace,
  ours: OurWorktree,
  { force }: { force: boolean },
): Promise<RemovedWorktree> {
  const { git, repository, cwd } = place
  const { worktree, facts } = ours
  ensureFree(ours, cwd, force)
  if (!force) await ensureLanded(place, ours)
  const kept = await salvageState(place, ours)
  await removeWorktree(git, repository, worktree)
  return { id: facts.id, path: facts.path, branch: null, salvage: kept ?? null }
}

function ensureFree({ facts, locked, isLost }: OurWorktree, cwd: string, force: boolean): void {
  const { id, path, run, alive } = facts
  if (alive) {
    throw new Failure('conflict', `${id} is held by the run ${run}, which is alive`, {
      hint: `see loop status --run ${run}`,
    })
  }
  const way = relative(path, cwd)
  if (!way.startsWith('..') && !isAbsolute(way)) {
    throw new Failure('conflict', `${path} is where you are`, { hint: 'cd out of it', retryable: false })
  }
  if (locked && !isLost && !force) {
    const holder = run === null ? 'git worktree lock' : `the run ${run}`
    throw new Failure('conflict', `${id} is locked by ${holder}`, { hint: 'use --force', retryable: false })
  }
}

async function ensureLanded(place: WorktreePlace, { facts, head }: OurWorktree): Promise<void> {
  if (facts.state === 'broken') {
    throw new Failure('conflict', `${facts.path} is not as loop made it`, {
      hint: 'use --force to keep what is in it in a ref and remove it',
      retryable: false,
    })
  }
  const isClean = facts.state !== 'dirty'
  if (isClean && (head === null || (await isSafe(place, facts.base, head)))) return
  const what = isClean ? `commits that ${facts.base ?? 'no base'} has not` : 'changes that are not committed'
  throw new Failure('conflict', `${facts.id} has ${what}`, {
    hint: 'use --force to keep them in a ref and remove it',
    retryable: false,
  })
}

/**
 * Removes what is over: worktrees whose work has landed, and what git still knows of those whose folder is gone.
 * Branches that hold work stay.
 */
export async function prune(place: WorktreePlace, all: readonly OurWorktree[]): Promise<RemovedWorktree[]> {
  const { git, repository } = place
  const removed: RemovedWorktree[] = []
  for (const ours of all) {
    const { facts, head, locked, worktree } = ours
    if (facts.alive) continue
    const isGone = facts.state === 'missing'
    if (!isGone && (locked || facts.state !== 'clean' || !facts.landed)) continue
    const tip = (await tipOfBranch(place, worktree.branch)) ?? head
    const keepBranch = tip !== null && !(await isSafe(place, facts.base, tip))
    await removeWorktree(git, repository, worktree, { keepBranch })
    removed.push({ id: facts.id, path: facts.path, branch: keepBranch ? worktree.branch : null, salvage: null })
  }
  return removed
}
