// The reviewer of a session is a subagent: the host tells what it ended with, and loop records that as its verdict.
// Only the last line counts; what it says that others have said is no evidence of it.
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { ancestors } from '@switchyard/exec'
import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { withLastMessage } from '@switchyard/wire/last-message'
import { openPlainChildren } from '../programs/children.ts'
import { openGit } from '../programs/git.ts'
import { sessionOf } from '../record/env-session.ts'
import { readEvents } from '../record/journal.ts'
import { findOwnRun } from '../record/own-run.ts'
import { openRecord } from '../record/session-record.ts'
import { type Change, readChange } from '../review/change.ts'
import { type Evidence, findEvidence } from '../review/evidence.ts'
import { postReview } from '../review/post-review.ts'
import { type Subject, taskIssue } from '../review/read-reviews.ts'
import { signReview } from '../review/signed-review.ts'
import { verdictIn } from '../review/verdict-word.ts'
import type { Session } from '../state/event-schema.ts'
import { quoted } from '../text/shell-word.ts'
import { treeAround } from '../worktree/tree-place.ts'
import type { LoopHook } from './answer-hook.ts'

type SubagentStop = Extract<HostEvent, { event: 'subagent-stop' }>

const holdsMax = 2
const by = 'reviewer'

/**
 * Takes the verdict of a reviewer that ends, on the commit that is there now. Sends it back, twice at most, when it
 * gave none or had no second opinion on that commit.
 */
export async function holdReviewer(event: SubagentStop, { store, session, env, now }: LoopHook): Promise<Answer> {
  const run = findOwnRun(store, session, env)
  const worktree = run?.claimed?.worktree ?? run?.started.cwd
  if (run === undefined || worktree === undefined) return { do: 'allow' }
  const record = openRecord(store, session, run.id, { env, now })
  if (isTypedIn(session, env)) return { do: 'allow', warning: 'loop: a hook that an agent calls takes no verdict' }
  const { base } = run.started
  const git = openGit(openPlainChildren(env))
  const at = await treeAround(git, worktree)
  if (at === undefined) return { do: 'allow' }
  const change = await readChange({ git, at }, base, 'HEAD')
  const subject = { issue: run.claimed?.issue ?? taskIssue, run: run.id }
  const answer = redactorOf(env)((await withLastMessage(event)).lastMessage ?? '').trim()
  const verdict = verdictIn(answer)
  const opinions = findEvidence(store, subject).filter((opinion) => isOfThis(opinion, change))
  const second_opinions = opinions.map((opinion) => opinion.id)
  const missing = whatIsMissing({ verdict, second_opinions }, { change, worktree, base })
  const { agentId: agent = '' } = event
  const held = [...readEvents(store, run.id)].filter(({ event }) => event.event === 'held' && event.agent === agent)
  if (missing !== undefined && held.length < holdsMax) {
    await record.tell({ event: 'held', agent, reason: missing.what })
    return { do: 'block', reason: `You are not done: ${missing.what}. ${missing.how}` }
  }
  if (verdict !== undefined) {
    const of: Subject = { issue: subject.issue, run: run.id }
    const about = { issue: subject.issue === taskIssue ? null : subject.issue, run: run.id, by, note: answer }
    const review = { type: 'review', v: 1, verdict, ...change, ...about, second_opinions } as const
    await postReview(store, of, signReview(review, 'subagent', { env, now: now() }), now())
  }
  if (missing === undefined) return { do: 'allow' }
  return { do: 'allow', warning: `loop: the reviewer was let go, although ${missing.what}` }
}

type Given = { readonly verdict: string | undefined; readonly second_opinions: readonly string[] }
type About = { readonly change: Change; readonly worktree: string; readonly base: string }

/** What its review of the commit lacks; undefined when it is whole. */
function whatIsMissing(
  { verdict, second_opinions }: Given,
  { change, worktree, base }: About,
): { what: string; how: string } | undefined {
  const commit = change.sha.slice(0, 12)
  if (verdict === undefined) {
    const how = 'End your answer with a line that is only LGTM, or only CHANGES with what to change above it.'
    return { what: `there is no verdict of yours on ${commit}`, how }
  }
  if (second_opinions.length > 0) return undefined
  return {
    what: `no second opinion on ${commit} is recorded`,
    how: `Ask for one: git -C ${quoted(worktree)} diff ${base}...HEAD | loop ask --with AGENT -, weigh what it says, and end with your verdict again.`,
  }
}

/** Whether it was asked for when the work was at this commit, or at one that makes the same change. */
const isOfThis = (opinion: Evidence, { sha, change }: Change) =>
  opinion.sha === sha || (change !== null && opinion.change === change)

type Env = Readonly<Record<string, string | undefined>>

/**
 * Whether a tool of this session started this process. Claude Code names the session to tools and hooks alike, and the
 * project's folder to hooks alone; a shell in between keeps what the tool was started with. Other hosts do not tell.
 */
function isTypedIn(session: Session, env: Env): boolean {
  const environments = [env, ...ancestors().map((ancestor) => ancestor.env)]
  return environments.some((one) => {
    const named = sessionOf(one)
    return named?.host === 'claude' && session.host === 'claude' && named.id === session.id && isOfTool(one)
  })
}

const isOfTool = (env: Env) => !env['CLAUDE_PROJECT_DIR'] || /_agent$/.test(env['AI_AGENT'] ?? '')
