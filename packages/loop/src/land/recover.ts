// After a run was killed: end or await what it left running, close what it landed, give back what it held, remove its
// worktrees. Every step may be repeated; a recovery that is killed is begun again by the next.
import { existsSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isFailure } from '@switchyard/cli-kit/failure'
import { endOrphan, readPidFile, waitForOrphan } from '@switchyard/exec'
import { holdLock } from '@switchyard/jsonl'
import { busExists, type Store } from '@switchyard/topic'
import type { Git } from '../git.ts'
import { type DeadRun, findDeadRuns, pidFilesIn, removeRunFolder, seize } from '../run/run-folder.ts'
import type { LoopEvent } from '../state/event-schema.ts'
import { readEvents, recordFor } from '../state/journal.ts'
import type { Tissue } from '../tissue.ts'
import { landingLock, listWorktrees, type Repository } from '../worktree/repository.ts'
import {
  commitAll,
  lockReason,
  removeWorktree,
  salvage,
  treeOf,
  type Worktree,
  worktreeOf,
} from '../worktree/worktree.ts'

/** What recovery works with; `by` is the run that cleans up. */
export type Recovery = {
  by: string
  repository: Repository
  git: Git
  tissue: Tissue
  store: Store
  identity: Record<string, string>
  now: () => number
  note: (text: string) => void
}

const graceMs = 2000
const orphanWaitMs = 60_000
const lockWaitMs = 120_000
const heirWaitMs = 300

/** Cleans up after every run whose process is dead. Costs one look at a folder when there is none. */
export async function recoverDeadRuns(recovery: Recovery): Promise<void> {
  const { commonDir } = recovery.repository
  if (findDeadRuns(commonDir, recovery.now()).length === 0) return
  await holdLock(
    join(commonDir, 'loop-recovery'),
    async () => {
      for (const dead of findDeadRuns(commonDir, recovery.now())) await recoverRun(recovery, seize(dead, commonDir))
    },
    { deadlineMs: lockWaitMs },
  )
  await freeLandingLock(commonDir)
}

/**
 * A dead run's lock is inherited and given back; a lock that is held by the living, this process included, is no
 * leftover.
 */
async function freeLandingLock(commonDir: string): Promise<void> {
  try {
    await holdLock(landingLock(commonDir), async () => undefined, { deadlineMs: heirWaitMs })
  } catch (error) {
    if (!(isFailure(error) && error.kind === 'lockTimeout')) throw error
  }
}

async function recoverRun(recovery: Recovery, { run, folder }: DeadRun): Promise<void> {
  const { store, now, note, by } = recovery
  note(`run ${run} died; cleaning up after it`)
  for (const { path, onOrphan } of pidFilesIn(folder)) {
    const orphan = await readPidFile(path)
    if (orphan === undefined) continue
    await (onOrphan === 'end' ? endOrphan(orphan, graceMs) : waitForOrphan(orphan, orphanWaitMs))
  }
  const events = busExists(store) ? [...readEvents(store, run)].map(({ event }) => event) : []
  for (const trace of foldTraces(events)) await recoverIssue(recovery, run, trace)
  await sweepWorktrees(recovery, run)
  if (events.length > 0) await recordFor(store, run, { event: 'finished', exit_code: null, by }, now())
  removeRunFolder(folder)
}

/** An issue that a run had begun and not ended, as its events tell it. */
export type Trace = {
  issue: string
  worker: string
  slug: string
  base: string
  fence: string | undefined
  landing: string | undefined
}

/** The issues that a run left unfinished. */
export function foldTraces(events: readonly LoopEvent[]): Trace[] {
  const open = new Map<string, Trace>()
  let base = ''
  for (const event of events) {
    if (event.event === 'started') base = event.base
    if (!('issue' in event)) continue
    const { issue, worker } = event
    if (event.event === 'claiming')
      open.set(issue, { issue, worker, slug: event.slug, base, fence: undefined, landing: undefined })
    const trace = open.get(issue)
    if (trace === undefined) continue
    if (event.event === 'claimed') trace.fence = event.fence
    if (event.event === 'landing') trace.landing = event.sha
    if (event.event === 'done' || event.event === 'recovered') open.delete(issue)
  }
  return [...open.values()]
}

async function recoverIssue(recovery: Recovery, run: string, trace: Trace): Promise<void> {
  const { repository, tissue, store, now } = recovery
  const { issue, worker, slug, landing, base } = trace
  const landed = landing !== undefined && (await isOnBase(recovery, landing, base))
  const current = await tissue.show(issue)
  const held = current?.claim
  if (landed && current !== undefined && current.status !== 'closed' && (held == null || held.by === worker)) {
    await tissue.close(issue, worker, held?.id, `landed on ${base} as ${landing}`)
  }
  const kept = await clear(recovery, run, worktreeOf(repository, slug), base)
  if (!landed && held?.by === worker) await tissue.release(issue, worker)
  const salvaged = kept === undefined ? {} : { salvage: kept }
  await recordFor(store, run, { event: 'recovered', issue, worker, landed, ...salvaged }, now())
}

async function isOnBase({ git, repository }: Recovery, sha: string, base: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', sha, `refs/heads/${base}`]
  return (await git.try(repository.here, args)).exitCode === 0
}

/** Removes the worktree and branch; returns the ref that keeps what of it is not on the base. */
async function clear(recovery: Recovery, run: string, worktree: Worktree, base: string): Promise<string | undefined> {
  const { git, repository } = recovery
  const listed = await listWorktrees(git, repository.here)
  const mine = listed.find(({ path }) => path === worktree.path)
  if (mine !== undefined && mine.locked !== lockReason(run)) return undefined
  const kept = mine === undefined ? undefined : await keepWork(recovery, run, worktree, base)
  const branch = await git.try(repository.here, ['rev-parse', '--verify', '--quiet', `refs/heads/${worktree.branch}`])
  if (mine === undefined && branch.exitCode === 0 && !(await isOnBase(recovery, branch.stdout.trim(), base))) {
    await salvage(git, repository, worktree.slug, run, branch.stdout.trim())
  }
  await removeWorktree(git, repository, worktree)
  return kept
}

async function keepWork(
  { git, repository, identity }: Recovery,
  run: string,
  worktree: Worktree,
  base: string,
): Promise<string | undefined> {
  const { path, slug } = worktree
  if (!existsSync(join(path, '.git'))) return undefined
  const gitDir = await git.run(path, ['rev-parse', '--path-format=absolute', '--git-dir'])
  rmSync(join(gitDir, 'index.lock'), { force: true })
  await git.try(path, ['rebase', '--abort'])
  const tip = `refs/heads/${base}`
  const from = await git.run(path, ['merge-base', 'HEAD', tip])
  const message = `Unfinished work of run ${run}\n`
  const { head, tree } = await commitAll(git, worktree, { from, amend: undefined, message, identity })
  if (tree === (await treeOf(git, path, from)) || tree === (await treeOf(git, path, tip))) return undefined
  return salvage(git, repository, slug, run, head)
}

/** Worktrees that git knows as the dead run's, for when the bus that would tell has been removed. */
async function sweepWorktrees(recovery: Recovery, run: string): Promise<void> {
  const { git, repository } = recovery
  for (const { path, locked, branch } of await listWorktrees(git, repository.here)) {
    const slug = basename(path)
    const worktree = worktreeOf(repository, slug)
    if (locked !== lockReason(run) || worktree.path !== path) continue
    const main = await git.try(repository.here, ['rev-parse', '--verify', '--quiet', `refs/heads/${worktree.branch}`])
    await clear(recovery, run, worktree, branch === null || main.exitCode !== 0 ? 'HEAD' : worktree.branch)
  }
}
