// One issue from its claim to its end. What comes next is decided in reduce.ts; here it is done.
import { existsSync } from 'node:fs'
import { isFailure } from '@switchyard/cli-kit/failure'
import { land } from '../land/land.ts'
import { enqueue, keepsBranch, removeEntry } from '../land/queue.ts'
import { verify } from '../land/verify.ts'
import { reviewVerdict } from '../review/verdict.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { firstStep, reduce } from '../state/reduce.ts'
import type { Outcome, WorkInput, WorkStep } from '../state/work-schema.ts'
import { setUpWorktree } from '../worktree/set-up.ts'
import { addWorktree, commitAll, removeWorktree, resetTo, salvage, treeOf } from '../worktree/worktree.ts'
import { type Heartbeat, keepClaim } from './heartbeat.ts'
import { renderPrompt, tail } from './prompt.ts'
import { environmentOf, type Job, type Run } from './run-state.ts'
import { readVerdict } from './runner.ts'

type End = Extract<WorkStep, { do: 'end' }>

const claimLost: End = { do: 'end', outcome: 'skipped', reason: 'the claim went to another' }

/**
 * Works a claimed issue until it ends, and leaves nothing of it behind. When it cannot go on, the claim is given back
 * before it throws.
 */
export async function workIssue(run: Run, job: Job): Promise<IssueResult> {
  const { issue, worker, fence } = job
  const heartbeat = keepClaim(run.tissue, { issue: issue.id, worker, fence, leaseMs: run.leaseMs }, run.note)
  try {
    const { path, branch } = job.worktree
    await run.journal.record({
      event: 'claimed',
      issue: issue.id,
      worker,
      fence,
      title: issue.title,
      branch,
      worktree: path,
    })
    job.from = await addWorktree(run.git, run.repository, job.worktree, { base: run.base, run: run.id, of: issue })
    const broken = await setUp(run, job, heartbeat)
    const end = broken ?? (await iterate(run, job, heartbeat))
    await heartbeat.stop()
    const result = await finish(run, job, end)
    await run.journal.record({ event: 'done', worker, ...result })
    return result
  } catch (error) {
    await heartbeat.stop()
    await giveBack(run, job)
    throw error
  }
}

/** How the issue ends when its worktree could not be set up; undefined when it could. */
async function setUp(run: Run, job: Job, heartbeat: Heartbeat): Promise<End | undefined> {
  const signal = AbortSignal.any([run.stop, heartbeat.lost])
  const { worktree } = job
  const { timeoutMs, note } = run
  const options = { settings: run.settings, timeoutMs, env: environmentOf(run, job), signal, note }
  const broken = await setUpWorktree(run, worktree, options)
  if (run.stop.aborted) return { do: 'end', outcome: 'failed', reason: 'stopped' }
  if (heartbeat.lost.aborted) return claimLost
  return broken === undefined ? undefined : { do: 'end', outcome: 'failed', reason: broken }
}

/** After a failure of git, tissue or the bus: what can be cleaned up is, the rest is left to the next run. */
async function giveBack(run: Run, job: Job): Promise<void> {
  try {
    await setAside(run, job)
    await removeWorktree(run.git, run.repository, job.worktree, { of: run.id })
    await run.tissue.release(job.issue.id, job.worker)
  } catch (error) {
    if (!isFailure(error)) throw error
    run.leaveToRecovery()
    run.note(`${job.issue.id}: not cleaned up, the next run will: ${error.message}`)
  }
}

async function iterate(run: Run, job: Job, heartbeat: Heartbeat): Promise<End> {
  const stop = AbortSignal.any([run.stop, heartbeat.lost])
  const ofIssue = { issue: job.issue.id, worker: job.worker }
  await run.journal.record({ event: 'began', ...ofIssue, rules: job.work.rules, limits: job.work.limits })
  for (let step = firstStep; ; ) {
    if (step.do === 'end' || step.do === 'wait') return endOf(step)
    const input = await perform(run, job, step, stop)
    const landed = input.of === 'landing' && input.end === 'landed'
    if (!landed && run.stop.aborted) return { do: 'end', outcome: 'failed', reason: 'stopped' }
    if (!landed && heartbeat.lost.aborted) return claimLost
    const next = reduce(job.work, input)
    job.work = next.work
    step = next.step
    await run.journal.record({ event: 'decided', ...ofIssue, input, step })
  }
}

const endOf = (step: End | { do: 'wait' }): End =>
  step.do === 'end' ? step : { do: 'end', outcome: 'failed', reason: 'paused' }

type Doing = Exclude<WorkStep, { do: 'end' | 'wait' }>

async function perform(run: Run, job: Job, step: Doing, stop: AbortSignal): Promise<WorkInput> {
  if (step.do === 'run') return callRunner(run, job, step, stop)
  if (step.do === 'land') return land(run, job, stop)
  if (step.do === 'review') {
    const place = { ...run, worktree: job.worktree.path }
    return reviewVerdict(place, { run: run.id, issue: job.issue.id })
  }
  const { passed, output } = await verify(run, job, stop)
  const { path } = job.worktree
  const changed = (await treeOf(run.git, path, 'HEAD')) !== (await treeOf(run.git, path, job.from))
  return { of: 'verify', passed, changed, output: tail(output, 4096) }
}

async function callRunner(
  run: Run,
  job: Job,
  { iteration, feedback }: Extract<WorkStep, { do: 'run' }>,
  stop: AbortSignal,
): Promise<WorkInput> {
  job.iteration = iteration
  const { issue, worker, worktree } = job
  await run.journal.record({ event: 'iteration', issue: issue.id, worker, iteration, max: run.iterationsMax })
  const record = (await run.tissue.show(issue.id)) ?? issue
  const ran = await run.runChild(
    { shell: run.runner },
    {
      cwd: worktree.path,
      onOrphan: 'end',
      timeoutMs: run.timeoutMs,
      env: environmentOf(run, job),
      signal: stop,
      input: renderPrompt({
        issue,
        record,
        worktree: worktree.path,
        base: run.base,
        verify: run.verify,
        iteration,
        max: run.iterationsMax,
        feedback,
      }),
    },
  )
  const verdict = readVerdict(ran)
  const changed = verdict === 'done' || verdict === 'nothing' ? await commitChanges(run, job) : false
  const event = { event: 'ran', issue: issue.id, worker, iteration, verdict, exit_code: ran.exitCode, changed } as const
  if (!stop.aborted) await run.journal.record(event)
  const left = await treeOf(run.git, worktree.path, 'HEAD')
  return { of: 'turn', said: verdict, changed, left, at: run.now(), output: tail(ran.output, 4096) }
}

/** Whether the worktree holds something that the base does not, once all of it is committed. */
async function commitChanges(run: Run, job: Job): Promise<boolean> {
  const { git } = run
  const { path } = job.worktree
  const before = await git.run(path, ['rev-parse', '--verify', 'HEAD'])
  const message = `${job.issue.title.replace(/\s+/g, ' ').trim()}\n\nIssue: ${job.issue.id}\n`
  const amend = before === job.made ? job.made : undefined
  const snapshot = await commitAll(git, job.worktree, { from: job.from, amend, message, identity: run.identity })
  const { head, tree } = snapshot
  await resetTo(git, job.worktree, head)
  job.made = snapshot.made
  return tree !== (await treeOf(git, path, job.from))
}

/** Keeps what did not land under a ref, when there is something. */
async function setAside(run: Run, job: Job): Promise<void> {
  const { git, repository } = run
  const { path, slug } = job.worktree
  if (job.from === '' || !existsSync(path)) return
  if (!(await commitChanges(run, job))) return
  job.salvage = await salvage(git, repository, slug, run.id, await git.run(path, ['rev-parse', '--verify', 'HEAD']))
}

async function finish(run: Run, job: Job, end: End): Promise<IssueResult> {
  const { tissue, git, repository, base } = run
  const { issue, worker, worktree } = job
  const settled = await closeDone(run, job, end)
  const { outcome, reason, commit } = settled
  const isOver = outcome === 'landed' || outcome === 'already-done'
  const keepBranch = keepsBranch(outcome)
  removeEntry(repository.commonDir, worktree.slug)
  if (keepBranch) await keepForLater(run, job, settled)
  else if (!isOver) await setAside(run, job)
  if (isPaused(outcome)) {
    const kept = keepBranch ? `branch ${worktree.branch}` : job.salvage
    await tissue.comment(issue.id, worker, farewell(job, settled, base, kept))
  }
  await removeWorktree(git, repository, worktree, { keepBranch })
  if (!isOver) await tissue.release(issue.id, worker)
  if (isPaused(outcome)) await tissue.pause(issue.id, worker)
  return {
    issue: issue.id,
    outcome,
    iterations: job.iteration,
    ...(commit === undefined ? {} : { commit }),
    ...(reason === undefined ? {} : { reason: tail(reason, 4096) }),
    ...(job.salvage === undefined || isOver ? {} : { salvage: job.salvage }),
  }
}

/** Closes an issue whose work proved to be on the base already; a landed one is closed by the landing. */
async function closeDone(run: Run, { issue, worker, fence }: Job, end: End): Promise<End> {
  if (end.outcome !== 'already-done') return end
  if (await run.tissue.close(issue.id, worker, fence, `already done on ${run.base}`)) return end
  const now = await run.tissue.show(issue.id)
  if (now?.status === 'closed') return end
  return { do: 'end', outcome: 'skipped', reason: 'done on the base already, but the claim went to another' }
}

const isPaused = (outcome: Outcome) => keepsBranch(outcome) || outcome === 'gave-up' || outcome === 'stuck'

/** The branch gets back what a conflict has set aside, and waits in the queue unless it is proposed. */
async function keepForLater(run: Run, job: Job, { outcome, reason = '' }: End): Promise<void> {
  const { path } = job.worktree
  const head = await run.git.run(path, ['rev-parse', '--verify', 'HEAD'])
  if (job.salvage !== undefined && head === job.from) await resetTo(run.git, job.worktree, job.salvage)
  if (outcome === 'parked' || outcome === 'queued') await enqueue(run, job, { outcome, reason })
}

function farewell(job: Job, end: End, base: string, kept: string | undefined): string {
  const what: Partial<Record<Outcome, string>> = {
    parked: `Landing on ${base} was not possible`,
    queued: `Not landed on ${base} yet (loop queue retry lands it)`,
    proposed: `Proposed for ${base}`,
    stuck: `Stuck after ${job.iteration} iterations`,
  }
  const where = kept === undefined ? 'There is no work to keep.' : `The work is kept in ${kept}.`
  const ended = what[end.outcome] ?? `Given up after ${job.iteration} iterations`
  return `${ended}: ${tail(end.reason ?? '', 4096)}\n\n${where}\n`
}
