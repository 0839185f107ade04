// After a run was killed: end or await what it left running, close what it landed, give back what it held, remove its
// worktrees. Every step may be repeated; a recovery that is killed is begun again by the next.
import { dirname, join } from 'node:path'
import { endOrphan, readPidFile, waitForOrphan } from '@switchyard/exec'
import { isFailure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import { clearLeft } from '@switchyard/sandbox'
import { busExists } from '@switchyard/topic'
import { endSurvivors } from '../programs/survivors.ts'
import { readEvents, recordFor } from '../record/journal.ts'
import { isMadeHere, isOurStep } from '../record/made-here.ts'
import { type DeadRun, findDeadRuns, pidFilesIn, removeRunFolder, seize } from '../record/run-folder.ts'
import { landingLock } from '../worktree/repository.ts'
import { worktreesFolder } from '../worktree/slug.ts'
import { sweepWorktrees } from './clear-worktree.ts'
import { foldTraces, recoverIssue } from './recover-issue.ts'
import type { Recovery } from './recovery.ts'

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
  await endSurvivors({ run })
  await clearSandboxes(recovery, folder)
  const told = busExists(store) ? [...readEvents(store, run)].map(({ event }) => event) : []
  const [first] = told
  // A record of another machine's says nothing of what was begun here.
  const events = first?.event === 'started' && isMadeHere(store, first, recovery.env) ? told : []
  const isOurs = (step: Parameters<typeof isOurStep>[1]) => isOurStep({ store, id: run, env: recovery.env }, step)
  for (const trace of foldTraces(events, isOurs)) await recoverIssue(recovery, run, trace)
  await sweepWorktrees(recovery, run)
  if (events.length > 0) await recordFor(store, run, { event: 'finished', exit_code: null, by }, now())
  removeRunFolder(folder)
}

/** Before git looks there: it would obey a repository that was made inside. In a worktree of ours it is not missed. */
async function clearSandboxes(
  { repository, env, note }: Pick<Recovery, 'repository' | 'env' | 'note'>,
  folder: string,
): Promise<void> {
  const worktrees = worktreesFolder(repository)
  const kept = await clearLeft(folder, env, (workTree) => dirname(workTree) !== worktrees)
  for (const path of kept) note(`the repository made there is now ${path}`)
}
