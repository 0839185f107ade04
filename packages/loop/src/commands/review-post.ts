import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { readBody } from '@switchyard/cli-kit/body'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { Failure } from '@switchyard/ground/failure'
import { identify } from '@switchyard/topic'
import { readChange } from '../review/change.ts'
import { openReview } from '../review/open-review.ts'
import { postReview } from '../review/post-review.ts'
import { posterOf } from '../review/poster.ts'
import { taskIssue } from '../review/read-reviews.ts'
import type { PostedReview } from '../review/review-schema.ts'
import { signReview, withProof } from '../review/signed-review.ts'

/** `loop review post`: a verdict on a commit. Exits 5 for whoever does the work, and for what it has started. */
export const reviewPost = defineVerb({
  summary: 'Say whether a change may land',
  args: [
    { name: 'verdict', summary: 'lgtm, or changes with a note that says which' },
    { name: 'issue', summary: 'Which issue; else the one that is worked on here', optional: true },
  ],
  flags: {
    sha: { type: 'string', value: 'COMMIT', summary: 'What was looked at; else what its worktree is at' },
    by: { type: 'string', value: 'NAME', summary: 'Who looked at it; else who you are' },
    message: { type: 'string', short: 'm', value: 'TEXT', summary: 'What was found' },
    file: { type: 'string', short: 'F', value: 'FILE', summary: 'Read it from a file, or from stdin with -' },
    'second-opinion': { type: 'list', value: 'ID', summary: 'What loop ask recorded on it' },
  },
  examples: ['loop review post lgtm', "loop review post changes --by reviewer -m 'The empty list is not handled.'"],
  async run(call) {
    const { args, flags, cwd, env, now, output } = call
    const verdict = parseVerdict(args.verdict)
    // What it found is told to the worker, and may end an issue's comment.
    const note = redactorOf(env)(readBody({ text: flags.message, file: flags.file }, call) ?? '')
    const { subject, place } = await openReview(call, args.issue)
    const by = identify({ as: flags.by, env, store: place.store })
    const poster = posterOf({ env, cwd, store: place.store, run: subject.run })
    const change = await readChange(place, place.base, flags.sha ?? 'HEAD')
    const of = { issue: subject.issue === taskIssue ? null : subject.issue, run: subject.run }
    const opinions = { second_opinions: [...flags['second-opinion']] }
    const made = poster.of === 'session' ? { sessions: poster.sessions } : {}
    const review = { type: 'review', v: 1, verdict, ...change, ...of, by, note, ...opinions, ...made } as const
    const told =
      poster.of === 'reviewer' ? withProof(review, poster.token) : signReview(review, poster.of, { env, now: now() })
    output.one(await postReview(place.store, subject, told, now()), shownReview)
    return undefined
  },
})

function parseVerdict(text: string): 'lgtm' | 'changes' {
  const word = text.toLowerCase()
  if (word === 'lgtm' || word === 'changes') return word
  throw new Failure('usage', `expected lgtm or changes, got ${JSON.stringify(text)}`)
}

const shownReview: Shown<PostedReview> = {
  text: ({ sha, verdict, issue }) => `${sha.slice(0, 12)}  ${verdict}  ${issue ?? 'task'}`,
  id: ({ id }) => id,
}
