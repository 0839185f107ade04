// The reviewer that `loop.json` names: called for a change that nobody has looked at yet.
import { tail } from '../cut-text.ts'
import type { Issue } from '../issue-schema.ts'
import { environmentOf, type Job, type Run } from '../run/run-state.ts'
import { runnerOf } from '../run/runner.ts'
import { endSurvivors } from '../run/survivors.ts'
import { placeOf } from '../worktree/tree-place.ts'
import { resetTo } from '../worktree/worktree.ts'
import { type Change, readChange } from './change.ts'
import type { Verdict } from './judge.ts'
import { postReview } from './post-review.ts'
import { reviewVerdict } from './verdict.ts'

const diffLengthMax = 200_000

/**
 * The verdict on what is in the worktree; without one, that of the run's reviewer, where it has one. A reviewer posts
 * it itself, or ends its answer with it. What it leaves in the worktree is taken away.
 */
export async function reviewIssue(run: Run, job: Job, stop: AbortSignal): Promise<Verdict> {
  const place = { ...run, at: placeOf(run.repository, job.worktree) }
  const subject = { run: run.id, issue: job.issue.id }
  const known = await reviewVerdict(place, subject)
  const isOpen = known.verdict === 'missing' || known.verdict === 'outdated'
  if (run.reviewer === undefined || !isOpen) return known
  const change = await readChange(place, run.base, 'HEAD')
  const by = `${job.worker}-reviewer`
  const answer = await callReviewer(run, job, { reviewer: run.reviewer, change, by, stop })
  await endSurvivors({ run: run.id, worktree: job.worktree.path, keepsSetUp: true })
  await resetTo(run.git, run.repository, job.worktree, change.sha)
  const posted = await reviewVerdict(place, subject)
  if (posted.verdict === 'approved' || posted.verdict === 'changes') return posted
  const verdict = answer.exitCode === 0 ? verdictIn(answer.stdout) : undefined
  if (verdict === undefined) {
    const output = `The reviewer gave no verdict. The end of its output:\n${tail(answer.output, 4096)}`
    return { of: 'review', verdict: 'missing', output }
  }
  const review = { type: 'review', v: 1, verdict, ...change, ...subject, by, note: answer.stdout.trim() } as const
  await postReview(run.store, subject, { ...review, second_opinions: [] }, run.now())
  return reviewVerdict(place, subject)
}

type Call = { reviewer: string; change: Change; by: string; stop: AbortSignal }

async function callReviewer(run: Run, job: Job, { reviewer, change, by, stop }: Call) {
  const { path } = job.worktree
  const at = placeOf(run.repository, job.worktree)
  const diff = await run.git.run(at, ['diff', '--no-color', '--no-ext-diff', `${run.base}...${change.sha}`])
  const runner = runnerOf(reviewer)
  const command = 'agent' in runner ? ['scope', 'run', '--agent', runner.agent, '--access', 'read'] : runner
  return run.runChild(command, {
    ...{ cwd: path, onOrphan: 'end', timeoutMs: run.timeoutMs, signal: stop },
    env: { ...environmentOf(run, job), JWZ_AGENT: by },
    input: renderQuestion(job.issue, run.base, change.sha, diff),
  })
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

/** What the last line of a review says: nothing else in it counts. */
function verdictIn(answer: string): 'lgtm' | 'changes' | undefined {
  const word = answer
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/[*_`.]/g, '')
    .trim()
    .toUpperCase()
  if (word === 'LGTM') return 'lgtm'
  return word === 'CHANGES' || word === 'CHANGESREQUESTED' ? 'changes' : undefined
}
