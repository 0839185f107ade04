// Runs of which nothing is left but what they hold: no process works them, and the bus that told of them was removed.

import type { ListedWorktree } from '@switchyard/ground/worktree-list'
import type { Store } from '@switchyard/topic'
import type { Git } from '../programs/git.ts'
import { readEvents } from '../record/journal.ts'
import { hasRunFolder } from '../record/run-folder.ts'
import { readRecord, writeRecord } from './record.ts'
import type { Repository } from './repository.ts'
import type { Worktree } from './slug.ts'
import { lockReason } from './worktree.ts'

/** The run that git's lock on a worktree names; undefined when somebody else has locked it. */
export function runOf(reason: string | null): string | undefined {
  const run = reason?.split(' ')[1]
  return run !== undefined && reason === lockReason(run) ? run : undefined
}

/**
 * The run that holds a worktree, when neither a process nor a bus knows it: the one of `store`, and the one that it was
 * begun on.
 */
export function lostRun(
  commonDir: string,
  store: Store,
  { path, locked }: Pick<ListedWorktree, 'path' | 'locked'>,
): string | undefined {
  const run = runOf(locked)
  if (run === undefined || hasRunFolder(commonDir, run)) return undefined
  const begunOn = readRecord(commonDir, path)?.bus
  const buses = [store.path, ...(begunOn === undefined ? [] : [begunOn])]
  const isKnown = buses.some((bus) => readEvents({ ...store, path: bus }, run).next().done !== true)
  return isKnown ? undefined : run
}

/** Gives the worktree of a lost run to another, as it lies there. */
export async function takeOver(
  git: Git,
  { commonDir, here }: Repository,
  { path }: Worktree,
  { run, bus, worker }: { run: string; bus: string; worker: string },
): Promise<void> {
  const record = readRecord(commonDir, path)
  if (record !== undefined) writeRecord(commonDir, path, { ...record, bus, worker })
  await git.run(here, ['worktree', 'unlock', path])
  await git.run(here, ['worktree', 'lock', '--reason', lockReason(run), path])
}
