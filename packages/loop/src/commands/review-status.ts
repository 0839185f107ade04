import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { exitCodes } from '@switchyard/ground/failure'
import { readChange } from '../review/change.ts'
import { judgeReviews } from '../review/judge.ts'
import { openReview } from '../review/open-review.ts'
import { reviewerToken } from '../review/poster.ts'
import { taskIssue } from '../review/read-reviews.ts'
import type { ReviewStatus } from '../review/review-schema.ts'
import { countingReviews } from '../review/verdict.ts'

/** `loop review status`: exits 0 when the change is approved as it is now, 1 when it is not. */
export const reviewStatus = defineVerb({
  summary: 'Show whether a change is approved as it is now',
  args: [{ name: 'issue', summary: 'Which issue; else the one that is worked on here', optional: true }],
  flags: {
    sha: { type: 'string', value: 'COMMIT', summary: 'Of this commit instead of what its worktree is at' },
  },
  examples: ['loop review status', 'loop review status --json | jq -r .verdict'],
  async run(call) {
    const { args, flags, env, output } = call
    const { subject, place } = await openReview(call, args.issue)
    const change = await readChange(place, place.base, flags.sha ?? 'HEAD')
    const reviews = countingReviews(place, subject, env[reviewerToken])
    const { verdict, output: said } = judgeReviews(reviews, change)
    const { run } = subject
    const issue = subject.issue === taskIssue ? null : subject.issue
    output.one({ issue, run, sha: change.sha, verdict, output: said, reviews }, shownReviewStatus)
    return verdict === 'approved' ? exitCodes.done : exitCodes.failed
  },
})

const shownReviewStatus: Shown<ReviewStatus> = {
  text: ({ sha, verdict, output }) => `${sha.slice(0, 12)}  ${verdict}${output === '' ? '' : `\n${output}`}`,
  id: ({ verdict }) => verdict,
}
