// Going on with sessions that are over or paused: their worktrees first, then what was paused below, then themselves.
import { Failure } from '@switchyard/ground/failure'
import { endAll } from '../session/end-left.ts'
import { isPaused, type Session } from '../session/fold-session.ts'
import type { Scribe } from '../session/record.ts'
import { readLaunch } from '../start/launch.ts'
import type { Launch } from '../start/launch-schema.ts'
import { requireFolder } from '../start/require-folder.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import { takeUp } from '../start/take-up.ts'
import { allMarks } from '../worktree/mark.ts'
import { ownMark } from '../worktree/own-worktree.ts'
import { type Unparked, unparkWorktree } from '../worktree/unpark.ts'
import { atWorkBelow, type Grounds } from './pause-tree.ts'

type World = { readonly scribe: Scribe; readonly grounds: Grounds }

/** What a session is told; `launch` may differ from that before. */
export type Orders = { readonly launch: Launch; readonly contract: string }

/** Its orders as they were, for whoever has no others: told anew where its agent has told of no conversation. */
export function ordersOf({ scribe, grounds }: World, { id, agentSession, loop }: Session): Orders {
  const { launch, contract } = readLaunch(scribe.store, id, grounds.env)
  const isNew = agentSession === null || loop !== null
  return { launch, contract: isNew ? contract.toString() : 'Go on with your task, and finish it.' }
}

/** Takes up a session, and what is paused below it; returns what came of their worktrees. */
export async function goOn(world: World, session: Session, orders: Orders): Promise<Unparked[]> {
  const below = isPaused(session) ? atWorkBelow(world.scribe, session).filter(isPaused) : [session]
  const given: Unparked[] = []
  for (const one of below) given.push(await readyAgain(world, one))
  for (const { id, created } of below) requireFolder(id, created.cwd)
  // The one that was named is the last, so that whatever is killed, resuming it again takes up the rest.
  for (const one of below.toReversed()) await start(world, one, one.id === session.id ? orders : ordersOf(world, one))
  return given
}

/** Ends what a pause that was cut short has left, and makes its worktree where it has none. */
async function readyAgain({ scribe, grounds }: World, session: Session): Promise<Unparked> {
  const { store } = scribe
  const { git, repository } = grounds
  if (isPaused(session)) await endAll(scribe, session)
  const mark = ownMark({ ...grounds, store }, repository, session)
  const { worktree } = session.created
  const host = allMarks({ ...grounds, store }).find(({ id }) => id === worktree?.of)
  if (host?.parked !== undefined) {
    const hint = `scope resume ${host.id}`
    throw new Failure('conflict', `session ${session.id} works in the worktree of ${host.id}, which is paused`, {
      hint,
    })
  }
  if (mark === undefined || repository === undefined) return { uncommitted: false, left: [] }
  return unparkWorktree(git, { ...grounds, store, commonDir: repository.commonDir }, mark)
}

async function start({ scribe, grounds }: World, { id, agentSession }: Session, orders: Orders): Promise<void> {
  const { env } = grounds
  await takeUp(scribe, id, {
    ...{ ...orders, env, by: 'resume', resume: agentSession },
    startSupervisor: () => startSupervisor(scribe.store, id, { ...orders.launch, env }),
  })
}
