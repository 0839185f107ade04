// One iteration of a task or an issue; what is known between two of them is in the run's record on the bus.

import type { Requests } from '@switchyard/cli-kit/drain-signals'
import { type ExitCode, exitCodes, Failure } from '@switchyard/ground/failure'
import { ulid } from '@switchyard/ground/ulid'
import { ensureSandbox } from '@switchyard/sandbox'
import type { Tissue } from '../programs/tissue.ts'
import { workerOfRun } from '../record/worker-name.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { exitCodeOf } from '../state/exit-code.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { firstStep, type Work } from '../state/reduce.ts'
import type { WorkStep } from '../state/work-schema.ts'
import { tail } from '../text/cut-text.ts'
import { taskName } from '../work/task-place.ts'
import { tipOf } from '../worktree/repository.ts'
import { slugOf, worktreeOf } from '../worktree/slug.ts'
import type { OnceResult } from './once-schema.ts'
import { type CoreOptions, ensureTools, openCore } from './open-core.ts'
import { openRun, type RunOptions } from './open-run.ts'
import { untilFinished } from './record-end.ts'
import type { Job, Run, RunCore, Turns } from './run-state.ts'
import { beginTask } from './run-task.ts'
import { claimIssue } from './take.ts'
import { advanceIssue } from './work-issue.ts'
import { workTask } from './work-task.ts'

/** Its exit code, and how the task or the issue stands. */
export type Ended = { code: ExitCode; result: OnceResult }
type Common = Omit<CoreOptions, 'id' | 'isAlone' | 'stop' | 'draining' | 'before'>

/** One iteration of a task, the next one of the run that was `left` where there is one. */
export async function onceTask(
  options: Common & { goal: string },
  left: SessionRun | undefined,
  requests: Requests,
): Promise<Ended> {
  const { settings, now, cwd, goal } = options
  ensureTools('agent' in settings.runner ? ['scope'] : [], options)
  if (settings.confining !== undefined) await ensureSandbox(options)
  const id = left?.id ?? ulid(now()).toLowerCase()
  const { stop, draining } = requests
  const { core, close } = openCore({ ...options, id, isAlone: true, stop, draining, before: beforeOf(left) })
  try {
    return await untilEnded(core, requests, async () => {
      const known = left?.work === undefined ? undefined : turnsOf(left, left.work, core.ledger.total)
      const { verify } = settings
      const task =
        known === undefined ? await beginTask(core, { goal, cwd, settings }) : { ...known, goal, cwd, verify }
      const ended = await workTask(core, task, left?.step ?? firstStep, 1)
      return 'do' in ended ? { turns: task, step: ended, issue: taskName } : { turns: task, result: ended }
    })
  } finally {
    close()
  }
}

type IssueOptions = Omit<RunOptions, 'id' | 'mode' | 'jobs' | 'isOwned' | 'before' | 'stop' | 'draining'>

/** One iteration of an issue. Failure `conflict` when another holds it. */
export async function onceIssue(
  options: IssueOptions,
  { issue, left }: { issue: string; left: SessionRun | undefined },
  requests: Requests,
): Promise<Ended> {
  const { stop, draining } = requests
  const kept = { before: beforeOf(left), ...(left === undefined ? {} : { id: left.id }) }
  const { run, close } = await openRun({ ...options, ...kept, mode: 'issue', jobs: 1, isOwned: false, stop, draining })
  try {
    return await untilEnded(run, requests, async () => {
      if (left === undefined) await ensureNotPaused(run.tissue, issue)
      const job =
        left?.work === undefined ? await claimIssue(run, workerOfRun(run.id, 1), issue) : await regain(run, left)
      if (job === undefined || typeof job === 'string') {
        throw new Failure('conflict', `expected ${issue} to be free, ${job ?? 'another holds it or it is closed'}`, {
          hint: `tissue show ${issue}`,
        })
      }
      const from = left?.work === undefined ? {} : { from: left.step }
      const ended = await advanceIssue(run, job, { ...from, callsMax: 1 })
      return 'do' in ended
        ? { turns: job, step: ended, issue: job.issue.id, worktree: job.worktree.path }
        : { turns: job, result: ended }
    })
  } finally {
    close()
  }
}

/** A shell loop of single steps is to hear that its issue was cancelled in between. */
async function ensureNotPaused(tissue: Tissue, id: string): Promise<void> {
  if ((await tissue.show(id))?.status !== 'paused') return
  throw new Failure('conflict', `expected ${id} to be free, it is paused`, {
    hint: `tissue status open ${id}`,
    retryable: false,
  })
}

function beforeOf(left: SessionRun | undefined): CoreOptions['before'] {
  if (left?.work === undefined || left.status === undefined) return undefined
  return { status: left.status, spent: left.work.spent, wasPaused: left.work.paused }
}

/** The turns of a run that was left, as far as its record tells. */
function turnsOf({ id, step, agent }: SessionRun, work: Work, told: Turns['told']): Turns {
  const iteration = step.do === 'run' ? step.iteration - 1 : work.iteration
  return { worker: workerOfRun(id, 1), iteration, work, session: agent, told }
}

/** The issue of a run that was left, claimed again where the lease ran out. */
async function regain(run: Run, left: SessionRun): Promise<Job | undefined> {
  const { claimed, work } = left
  if (claimed === undefined || work === undefined) return undefined
  const worktree = worktreeOf(run.repository, slugOf(claimed.issue))
  const issue = await run.tissue.claim(claimed.issue, claimed.worker, run.leaseMs)
  if (issue?.claim == null) return undefined
  const { git, repository } = run
  const tip = await tipOf(git, repository, worktree.branch)
  const from = await git.run(repository.here, ['merge-base', tip, `refs/heads/${run.base}`])
  const message = await git.run(repository.here, ['log', '-1', '--format=%B', tip])
  const made = tip !== from && message.trimEnd().endsWith(`\nIssue: ${issue.id}`) ? tip : undefined
  const turns = turnsOf(left, work, run.ledger.total)
  return { ...turns, issue, fence: issue.claim.id, worktree, from, made, salvage: undefined }
}

type Left = { turns: Turns; step: WorkStep; issue: string; worktree?: string }
type Over = { turns: Turns; result: IssueResult }

/** A run that is left records no end. */
async function untilEnded(core: RunCore, requests: Requests, act: () => Promise<Left | Over>): Promise<Ended> {
  let ended: Left | Over | undefined
  const code = await untilFinished(core.journal, requests, async () => {
    ended = await act()
    if ('result' in ended) return requests.stop.aborted ? requests.code() : exitCodeOf([ended.result])
    return { left: ended.step.do === 'wait' ? exitCodes.limit : exitCodes.failed }
  })
  if (ended === undefined) throw new Error('bug: an iteration without an end')
  return { code, result: resultOf(core, ended, code) }
}

function resultOf(core: RunCore, ended: Left | Over, code: ExitCode): OnceResult {
  const { id, limits, ledger, transcripts } = core
  const { turns } = ended
  const common = {
    ...{ run: id, iteration: turns.iteration, max: limits.iterations, done: code === exitCodes.done },
    ...{ tokens: ledger.total.tokens, cost_usd: ledger.total.cost_usd, log: transcripts?.folder ?? null },
  }
  const nothing = { outcome: null, reason: null, commit: null, salvage: null, worktree: null }
  if ('result' in ended) {
    const { issue, outcome, reason = null, commit = null, salvage = null } = ended.result
    return { ...common, ...nothing, issue, outcome, reason, commit, salvage }
  }
  const { step, issue, worktree = null } = ended
  const why = step.do === 'run' ? (step.feedback ?? 'the agent did not say that it is done') : 'it is paused'
  return { ...common, ...nothing, issue, reason: tail(why, 4096), worktree }
}
