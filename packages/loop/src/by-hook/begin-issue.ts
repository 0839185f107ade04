// An issue for a session: claimed, and given a worktree. Each step may be repeated by whoever finds it half done.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { readConfig, requireTrusted } from '../config/read-config.ts'
import { jobOf, type LandingJob, type LandingRun } from '../land/landing-run.ts'
import type { Issue } from '../programs/issue-schema.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import type { Journal } from '../record/journal.ts'
import type { Limits } from '../state/work-schema.ts'
import { lookForWay, whyNot } from '../work/why-not.ts'
import { takeOver } from '../worktree/lost-run.ts'
import type { Repository } from '../worktree/repository.ts'
import { setUpWorktree } from '../worktree/set-up.ts'
import { ensureWorktree } from './session-issue.ts'

/** How long a claim outlives a session that is not heard any more. */
export const leaseOf = ({ root }: Repository) => parseDuration(readConfig(root).stale_after) ?? 0

/** Takes the issue; else says what keeps it from being worked. */
export async function beginIssue(
  run: LandingRun,
  record: Journal,
  { issue: { id }, worker, limits }: { issue: Pick<Issue, 'id'>; worker: string; limits: Limits },
): Promise<string | undefined> {
  const way = lookForWay(run, id)
  if (way.obstacle !== undefined) return way.obstacle
  const { worktree } = way
  await record.tell({ event: 'claiming', issue: id, worker, slug: worktree.slug })
  const issue = await run.tissue.claim(id, worker, leaseOf(run.repository))
  if (issue?.claim == null) return whyNot(await run.tissue.show(id), way)
  const { path, branch } = worktree
  const claimed = { issue: id, worker, fence: issue.claim.id, title: issue.title, branch, worktree: path }
  await record.tell({ event: 'claimed', ...claimed })
  await record.tell({ event: 'began', issue: id, worker, rules: run.rules, limits })
  const job = jobOf({ issue, worker, fence: issue.claim.id, worktree, iteration: 1 })
  if (way.lost !== undefined)
    await takeOver(run.git, run.repository, worktree, { run: run.id, bus: run.store.path, worker })
  await ensureWorktree(run, job)
  await setUp(run, job, record)
  await record.tell({ event: 'iteration', issue: id, worker, iteration: 1, max: limits.iterations })
  return undefined
}

/** A worktree that could not be set up is the agent's to put right: it is there, and can tell. */
async function setUp(run: LandingRun, job: LandingJob, record: Journal): Promise<void> {
  const config = readConfig(run.repository.root, run.env)
  requireTrusted(config, 'worktree.setup', 'worktree.copy')
  const settings = config.worktree
  const { timeoutMs } = run
  const options = { settings, timeoutMs, env: issueEnvironment(run, job), note: () => undefined }
  const broken = await setUpWorktree(run, job.worktree, options)
  if (broken !== undefined) await record.tell({ event: 'warned', text: broken })
}

/** The next issue that is ready and was not worked in this run; false when there is none. */
export async function beginNext(
  run: LandingRun,
  record: Journal,
  { worker, limits, ended }: { worker: string; limits: Limits; ended: readonly string[] },
): Promise<boolean> {
  for (const issue of await run.tissue.ready()) {
    if (!ended.includes(issue.id) && (await beginIssue(run, record, { issue, worker, limits })) === undefined)
      return true
  }
  return false
}
