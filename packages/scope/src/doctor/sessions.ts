// Sessions that are not what they seem: whose process died, and what is left of those that are not at work.

import type { Context } from '@switchyard/cli-kit'
import { counted } from '@switchyard/cli-kit/counted'
import { type Finding, mendable, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import type { Session } from '../session/fold-session.ts'
import { endLeftBy, findLeft } from '../session/left-processes.ts'
import { liveIds } from '../session/live.ts'
import { lookAtAll } from '../session/look.ts'
import { readSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'
import { findSettled } from '../session/settle.ts'
import { isOver } from '../session/transitions.ts'
import { closeTerminal, leftTerminals } from '../tmux/left-terminals.ts'

type Where = Pick<Context, 'cwd' | 'env'>

/** Looks for sessions whose process is gone, for processes without a session, and for terminals without one. */
export async function examineSessions(scribe: Scribe, where: Where, visit: Visit): Promise<Finding[]> {
  return [
    ...(await examineStale(scribe, visit)),
    ...(await examineProcesses(scribe, visit)),
    ...(await examineTerminals({ ...where, store: scribe.store }, visit)),
  ]
}

/** Every look at a session settles it: what is found here nobody has looked at since. */
async function examineStale(scribe: Scribe, visit: Visit): Promise<Finding[]> {
  const { store } = scribe
  const live = liveIds(store).flatMap((id) => readSession(store, id) ?? [])
  const stale = live.filter((session) => findSettled(store, session, visit.now).some(({ event }) => event === 'failed'))
  if (visit.fix) {
    const ids = stale.map(({ id }) => id)
    await lookAtAll(scribe, ids)
  }
  const atWork = live.filter(({ state }) => !isOver(state)).length - stale.length
  return [
    ok('sessions', `${counted(atWork, 'session')} at work`),
    ...stale.map(({ id, state }) => mendable('sessions', `${id} is ${state}, and its process is gone`, visit)),
  ]
}

/** What is `done` may have left a process on purpose, such as a server that it was to start. */
const isDone = (session: Session | undefined) => session?.state === 'done'
const isNotDone = (session: Session | undefined) => !isDone(session)

async function examineProcesses({ store }: Scribe, visit: Visit): Promise<Finding[]> {
  const [orphans, kept] = [findLeft(store, isNotDone), findLeft(store, isDone)]
  if (visit.fix && orphans.pids.length > 0) await endLeftBy(store, isNotDone)
  const of = (left: typeof kept) => `${left.pids.join(', ')} of ${left.ids.join(', ')}`
  return [
    ...(orphans.pids.length === 0 ? [] : [mendable('processes', `left behind: ${of(orphans)}`, visit)]),
    ...(kept.pids.length === 0
      ? []
      : [warn('processes', `still run after their sessions are done: ${of(kept)}`, 'scope abort ID ends them')]),
  ]
}

async function examineTerminals(place: Parameters<typeof leftTerminals>[0], visit: Visit): Promise<Finding[]> {
  const left = await leftTerminals(place)
  if (visit.fix) for (const name of left) await closeTerminal(place, name)
  return left.map((name) => mendable('terminals', `no session works in ${name}`, visit))
}
