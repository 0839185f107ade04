import { readChange } from '../review/change.ts'
import { judgeReviews } from '../review/judge.ts'
import { countingReviews, reviewVerdict } from '../review/verdict.ts'
import { placeOf } from '../worktree/tree-place.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'

/**
 * What keeps the reviews from covering the change as it stands on `tip`; undefined when they do, or when none is
 * needed. A clean rebase leaves it covered.
 */
export async function uncovered(run: LandingRun, job: LandingJob, tip: string): Promise<string | undefined> {
  if (!run.rules.reviews) return undefined
  const place = { ...run, at: placeOf(run.repository, job.worktree), base: tip }
  const issue = job.issue.id
  const verdict = run.landing.byHand
    ? judgeReviews(
        countingReviews(run, { issue, run: null }).filter(({ by }) => by !== job.worker),
        await readChange(place, tip, 'HEAD'),
      )
    : await reviewVerdict(place, { issue, run: run.id })
  return verdict.verdict === 'approved' ? undefined : `The review: ${verdict.verdict}. ${verdict.output}`
}
