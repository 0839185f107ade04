// A reviewer whose verdict is only in its answer has reviewed nothing: the gate reads what is posted. What it writes is
// never searched for words.
import { findEvidence } from '../ask/evidence.ts'
import { openGit } from '../git.ts'
import { readChange } from '../review/change.ts'
import { judgeReviews } from '../review/judge.ts'
import { taskIssue } from '../review/read-reviews.ts'
import type { PostedReview } from '../review/review-schema.ts'
import { countingReviews, type ReviewPlace } from '../review/verdict.ts'
import { openPlainChildren } from '../run/children.ts'
import { findSessionRun } from '../session/binding.ts'
import type { SessionRun } from '../session/fold-session-run.ts'
import { openRecord } from '../session/record.ts'
import { quoted } from '../shell-word.ts'
import { readEvents } from '../state/journal.ts'
import { treeAround } from '../worktree/tree-place.ts'
import type { LoopHook } from './answer-hook.ts'
import type { Answer, HostEvent } from './host-event.ts'

const holdsMax = 2

/** Sends a reviewer back, twice at most, that has posted no verdict on the change or had no second opinion on it. */
export async function holdReviewer(
  { agentId: agent = '' }: Extract<HostEvent, { event: 'subagent-stop' }>,
  { store, session, env, now }: LoopHook,
): Promise<Answer> {
  const id = findSessionRun(store, session)
  const record = id === undefined ? undefined : openRecord(store, session, id, now)
  const run = record?.read()
  const worktree = run?.claimed?.worktree ?? run?.started.cwd
  if (record === undefined || run === undefined || run.isOver || worktree === undefined) return { do: 'allow' }
  const git = openGit(openPlainChildren(env))
  const at = await treeAround(git, worktree)
  if (at === undefined) return { do: 'allow' }
  const missing = await whatIsMissing(run, { store, git, at, base: run.started.base })
  if (missing === undefined) return { do: 'allow' }
  const held = [...readEvents(store, run.id)].filter(({ event }) => event.event === 'held' && event.agent === agent)
  if (held.length >= holdsMax)
    return { do: 'allow', warning: `loop: the reviewer was let go, although ${missing.what}` }
  await record.tell({ event: 'held', agent, reason: missing.what })
  return { do: 'block', reason: `You are not done: ${missing.what}. ${missing.how}` }
}

/** What a review of the commit that is there now lacks; undefined when it is whole. */
async function whatIsMissing(run: SessionRun, place: ReviewPlace): Promise<{ what: string; how: string } | undefined> {
  const subject = { issue: run.claimed?.issue ?? taskIssue, run: run.id }
  const change = await readChange(place, place.base, 'HEAD')
  const reviews = countingReviews(place.store, subject)
  const { verdict } = judgeReviews(reviews, change)
  const commit = change.sha.slice(0, 12)
  if (verdict === 'missing' || verdict === 'outdated') {
    const flags = `--sha ${change.sha} --by reviewer`
    const post = `loop review post lgtm ${flags}, or: loop review post changes ${flags} -m 'what to change'`
    return { what: `no verdict on ${commit} is posted`, how: `Post yours: ${post}` }
  }
  const since = lastOfAnother(reviews, change)
  if (findEvidence(place.store, subject).some((opinion) => opinion.id > since)) return undefined
  return {
    what: `no second opinion on ${commit} is recorded`,
    how: `Ask for one: git -C ${quoted(place.at.workTree ?? '')} diff ${place.base}...HEAD | loop ask --with AGENT -, and weigh what it says.`,
  }
}

/** Id of the last review of another change than this: opinions before it were of that one. Ids are in order of time. */
function lastOfAnother(
  reviews: readonly PostedReview[],
  { sha, change }: { sha: string; change: string | null },
): string {
  const isOfThis = (review: PostedReview) => review.sha === sha || (change !== null && review.change === change)
  return reviews.findLast((review) => !isOfThis(review))?.id ?? ''
}
