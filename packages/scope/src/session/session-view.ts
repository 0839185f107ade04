// A session as its readers get it: what its log tells, with its activity and its result.
import type { Shown } from '@switchyard/cli-kit'
import { readStored } from '@switchyard/ground/disk'
import { isFailure } from '@switchyard/ground/failure'
import { join } from '@switchyard/ground/machine'
import type { Store } from '@switchyard/topic'
import { isAtRest, type Session } from './fold-session.ts'
import { sessionFolder } from './scope-store.ts'
import { parentOf } from './session-id.ts'
import type { SessionView } from './session-schema.ts'

const resultLengthMax = 1_000_000

export function viewOf(store: Store, session: Session): SessionView {
  const result = session.results === 0 ? undefined : readBeside(store, session.id, 'result')?.slice(0, resultLengthMax)
  return viewFrom(session, { activity: readActivity(store, session.id), result: result ?? null })
}

/** What the agent of a session does now, as its hooks have said. */
export const readActivity = (store: Store, id: string): string => lastLine(readBeside(store, id, 'activity') ?? '')

/** A file that says more than the log. A link, or what cannot be read, says nothing. */
function readBeside(store: Store, id: string, name: string): string | undefined {
  try {
    return readStored(join(sessionFolder(store, id), name))
  } catch (error) {
    if (isFailure(error)) return undefined
    throw error
  }
}

/** What stands beside the log of a session. */
type Beside = Pick<SessionView, 'activity' | 'result'>

export function viewFrom(session: Session, { activity, result }: Beside): SessionView {
  const { id, created, state, turn, needs, since, reason, process } = session
  const { task, task_type, agent, model, backend, cwd, alias, at, worktree } = created
  return {
    ...{ v: 1, id, alias, status: state, turn, needs_input: needs, activity, result },
    ...{ exit_reason: reason, task, task_type, agent, model, backend },
    ...{ role: created.role, loop: loopOf(session), workflow: created.workflow ?? null },
    parent: parentOf(id) ?? null,
    children: [...session.children],
    ...{ cwd, worktree: worktree?.path ?? null, branch: worktree?.branch ?? null, base: worktree?.base ?? null },
    agent_session: session.agentSession,
    alive: process !== undefined && !isAtRest(session),
    ...{ created_at: at, state_since: since, tokens: session.usage, cost_usd: session.costUsd },
    ...{ budget: session.budget, limit: session.limit },
  }
}

function loopOf({ loop }: Session): SessionView['loop'] {
  if (loop === null) return null
  const { iteration, max, verdict, gates, criteria } = loop
  return { iteration, max, verdict, gates, criteria }
}

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) ?? ''

/** JSON unless people are meant: who polls is a script. */
export const shownJson: Shown<SessionView> = { text: (view) => JSON.stringify(view), id: ({ id }) => id }
