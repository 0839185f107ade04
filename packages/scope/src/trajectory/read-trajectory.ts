// The steps of a session's agent, from the transcript that its own client writes while it works.
import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { parseRecord, readLines } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { hostsWithTranscripts, type Step, stepsOf } from '@switchyard/wire/transcript-steps'
import { findTranscript } from '../agents/find-transcript.ts'
import { activityOf } from '../hook/activity.ts'
import type { Session } from '../session/fold-session.ts'
import { readEvents, readSession } from '../session/read-session.ts'
import { cut, oneLine } from '../short-text.ts'
import type { StepView } from './step-schema.ts'

const summaryLength = 100

/** The sessions whose steps are told as those of one: of a loop all that it has started, else itself. */
export const membersOf = (store: Store, session: Session): Session[] =>
  session.created.role === 'loop' ? session.children.flatMap((id) => readSession(store, id) ?? []) : [session]

/** The steps of one session as they are shown. Exits 3 where it has no transcript that can be read. */
export const readTrajectory = (store: Store, session: Session, env: Context['env']): StepView[] =>
  [...stepsOfSession(store, session, env)].map((step) => viewOf(session, step))

/**
 * The steps of one session, oldest first, of all conversations that its agent was in, read as they are asked for. Exits
 * 3 where it has no transcript that can be read, and says why.
 */
export function* stepsOfSession(store: Store, { id, created }: Session, env: Context['env']): Generator<Step> {
  const host = hostsWithTranscripts.find((name) => name === created.agent)
  if (host === undefined) throw none(id, `scope cannot read transcripts of ${created.agent}`)
  const conversations = conversationsOf(store, id)
  if (conversations.length === 0) throw none(id, 'its agent has not told which conversation it is in')
  const paths = conversations.flatMap((conversation) => findTranscript(host, conversation, env) ?? [])
  if (paths.length === 0) throw none(id, `there is no transcript of ${created.agent}'s conversation ${conversations}`)
  for (const path of paths) for (const line of readLines(path)) yield* stepsOf(host, parseRecord(line))
}

/** An agent may begin another one, as when it is cleared. */
const conversationsOf = (store: Store, id: string): string[] => [
  ...new Set([...readEvents(store, id)].flatMap((event) => ('agent_session' in event && event.agent_session) || [])),
]

const none = (id: string, why: string) =>
  new Failure('notFound', `session ${id} has no trajectory: ${why}`, { hint: `try: scope logs ${id} --output` })

function viewOf({ id, created }: Session, { step, at, tool, text, deed, failed }: Step): StepView {
  const summary = deed === null ? cut(oneLine(text), summaryLength) : activityOf(deed, (words) => words)
  return { v: 1, session: id, at, step, tool, text, summary, failed, cwd: created.cwd }
}
