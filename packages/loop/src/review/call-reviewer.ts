// The reviewer that `loop.json` names: called for a change that nobody has looked at yet.
import { randomBytes } from 'node:crypto'
import { ensureStarted } from '@switchyard/exec/ensure-started'
import { runnerOf } from '@switchyard/exec/runner'
import type { Git } from '../programs/git.ts'
import type { Issue } from '../programs/issue-schema.ts'
import type { RunWork } from '../programs/run-work.ts'
import { endSurvivors } from '../programs/survivors.ts'
import { issueEnvironment } from '../programs/worker-environment.ts'
import { tail } from '../text/cut-text.ts'
import type { Repository } from '../worktree/repository.ts'
import type { Worktree } from '../worktree/slug.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { resetTo } from '../worktree/worktree.ts'
import { type Change, readChange } from './change.ts'
import type { ReviewVerdict } from './judge.ts'
import { postReview } from './post-review.ts'
import { reviewerToken } from './poster.ts'
import type { Review } from './review-schema.ts'
import { isProven, signReview } from './signed-review.ts'
import { countingReviews, reviewVerdict, type Taking } from './verdict.ts'
import { verdictIn } from './verdict-word.ts'

/** What a reviewer is called for and with: the run, and what its commands are started by. */
type Reviewing = Taking & {
  readonly id: string
  readonly base: string
  readonly repository: Repository
  readonly git: Git
  readonly runWork: RunWork
  readonly stores: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly now: () => number
}

/** The change that is reviewed: an issue, as a worker has left it in a worktree. */
type Reviewed = {
  readonly issue: Issue
  readonly worker: string
  readonly iteration: number
  readonly worktree: Worktree
}

const diffLengthMax = 200_000

/**
 * The verdict on what is in the worktree; without one, that of the reviewer, where there is one. A reviewer posts it
 * itself, or ends its answer with it: loop has started it, reads what it says and records that. What it leaves in the
 * worktree is taken away. Failure `outside` when it cannot be started: then nobody looked, and nobody is to blame.
 */
export async function reviewIssue(run: Reviewing, job: Reviewed, stop: AbortSignal): Promise<ReviewVerdict> {
  const place = { ...run, at: placeOf(run.repository, job.worktree) }
  const subject = { run: run.id, issue: job.issue.id }
  const known = await reviewVerdict(place, subject)
  const isOpen = known.verdict === 'missing' || known.verdict === 'outdated'
  if (run.reviewer === undefined || !isOpen) return known
  const change = await readChange(place, run.base, 'HEAD')
  const by = `${job.worker}-reviewer`
  const token = randomBytes(16).toString('hex')
  const answer = await callReviewer(run, job, { reviewer: run.reviewer, change, by, token, stop })
  await endSurvivors({ run: run.id, worktree: job.worktree.path, keepsSetUp: true })
  await resetTo(run.git, run.repository, job.worktree, change.sha)
  const said = answer.exitCode === 0 ? verdictIn(answer.stdout) : undefined
  const note = answer.stdout.trim()
  const own = { type: 'review' as const, v: 1 as const, ...change, ...subject, by, note, second_opinions: [] }
  const posted = countingReviews(run, subject, token).findLast((review) => isProven(review, token))
  const isOfThis = posted?.sha === change.sha
  const review = isOfThis ? posted : said === undefined ? undefined : { ...own, verdict: said }
  if (review === undefined) {
    const output = `The reviewer gave no verdict. The end of its output:\n${tail(answer.output, 4096)}`
    return { of: 'review', verdict: 'missing', output }
  }
  const { id: _, proof: __, ...taken }: Review & { id?: string } = review
  const at = run.now()
  await postReview(run.store, subject, signReview(taken, 'reviewer', { env: run.env, now: at }), at)
  return reviewVerdict(place, subject)
}

type Call = { reviewer: string; change: Change; by: string; token: string; stop: AbortSignal }

async function callReviewer(run: Reviewing, job: Reviewed, { reviewer, change, by, token, stop }: Call) {
  const { path } = job.worktree
  const at = placeOf(run.repository, job.worktree)
  const diff = await run.git.run(at, ['diff', '--no-color', '--no-ext-diff', `${run.base}...${change.sha}`])
  const runner = runnerOf(reviewer)
  const command = 'agent' in runner ? ['scope', 'run', '--agent', runner.agent, '--access', 'read'] : runner
  const answer = await run.runWork(command, {
    ...{ at, cwd: path, onOrphan: 'end', timeoutMs: run.timeoutMs, signal: stop },
    env: { ...issueEnvironment(run, job), JWZ_AGENT: by, [reviewerToken]: token },
    input: renderQuestion(job.issue, run.base, change.sha, diff),
  })
  ensureStarted(runner, answer, 'reviewer in loop.json')
  return answer
}

function renderQuestion({ id, title, body }: Issue, base: string, sha: string, diff: string): string {
  const shown = diff.length > diffLengthMax ? `${diff.slice(0, diffLengthMax)}\n[… cut: read the rest yourself]` : diff
  return `Review a change that somebody else made for issue ${id}. Change nothing yourself.

# ${title}

${body}

Is that done, all of it and nothing else? Is it correct, also where input is empty, huge or hostile, and tested? Name
what must change, each with its file and line, and why; leave matters of taste alone.
End with one line that is only LGTM when it may land as it is, or only CHANGES when it may not.

The change is commit ${sha}, to land on ${base}:

${shown}
`
}
