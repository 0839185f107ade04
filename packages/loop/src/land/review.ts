import { readChange } from '../review/change.ts'
import { judgeReviews } from '../review/judge.ts'
import { countingReviews, reviewVerdict, type Taking } from '../review/verdict.ts'
import { placeOf } from '../worktree/tree-place.ts'
import type { LandingJob, LandingRun } from './landing-run.ts'

type Reviewed = Taking & Pick<LandingRun, 'git' | 'repository' | 'id' | 'landing'>

/**
 * What keeps the reviews from covering the change as it stands on `tip`; undefined when they do. A clean
 * rebase leaves it covered.
 */
export async function uncovered(
  { repository, id, landing, ...taking }: Reviewed,
  { issue, worker, worktree }: LandingJob,
  tip: string,
): Promise<string | undefined> {
  const place = { ...taking, at: placeOf(repository, worktree), base: tip }
  const verdict = landing.byHand
    ? judgeReviews(
        countingReviews(place, { issue: issue.id, run: null }).filter(({ by }) => by !== worker),
        await readChange(place, tip, 'HEAD'),
      )
    : await reviewVerdict(place, { issue: issue.id, run: id })
  return verdict.verdict === 'approved' ? undefined : `The review: ${verdict.verdict}. ${verdict.output}`
}
