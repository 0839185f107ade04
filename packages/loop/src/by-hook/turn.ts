// The stop decision: what a session's agent hears when it wants to stop.
import { isFailure } from '@switchyard/ground/failure'
import { holdLock } from '@switchyard/jsonl'
import { busExists } from '@switchyard/topic'
import type { Answer } from '@switchyard/wire/host-event'
import { readBinding, releaseRun } from '../record/binding.ts'
import { isMadeHere, notMadeHere } from '../record/made-here.ts'
import { applyRequests } from '../record/requests.ts'
import { openRecord } from '../record/session-record.ts'
import { claimIn, hasBinding, hear } from '../record/session-topic.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { Session } from '../state/event-schema.ts'
import { isLoopOff } from './is-loop-off.ts'
import { lose } from './lost-loop.ts'
import { type Moved, moveRun } from './move-run.ts'
import { turnLock } from './settle-left.ts'
import { takeOn } from './take-on.ts'
import type { StopEvent, TurnWorld } from './turn-world.ts'

const allow: Answer = { do: 'allow' }
/** Another hook of the same stop is at work for longer than this: it will answer. */
const lockWaitMs = 2000

/**
 * Decides on a stop, and records what is decided. Failures of the bus, of git or of the tracker let the agent stop,
 * with a warning. It never throws a Failure.
 */
export async function takeTurn(event: StopEvent, world: TurnWorld): Promise<Answer> {
  const { env, store } = world
  if (isLoopOff(env) || event.agentId !== undefined) return allow
  const session = { host: event.host, id: event.session }
  const claim = claimIn(event.lastMessage)
  if (claim === undefined && !hasBinding(store, session)) return allow
  try {
    if (claim !== undefined) await takeOn(claim, session, world)
    const answer = await decideStop(event, session, world)
    return busExists(store) ? answer : lose(store, session)
  } catch (error) {
    if (!isFailure(error)) throw error
    if (!busExists(store)) return lose(store, session)
    const how = error.hint === undefined ? '' : `; ${error.hint}`
    return { do: 'allow', warning: `loop: ${error.message}${how}; the agent is left to stop` }
  }
}

async function decideStop(event: StopEvent, session: Session, world: TurnWorld): Promise<Answer> {
  const { store, now } = world
  const top = readBinding(store, session).stack.at(-1)
  if (top === undefined) return allow
  if (hear(store, session, now()) === 'stale') return setStale(session, top, world)
  const news: string[] = []
  for (let run: string | undefined = top; run !== undefined; run = readBinding(store, session).stack.at(-1)) {
    const moved = await moveOnce(run, event, session, world, news)
    if (moved.to === 'overtaken') return allow
    if (moved.to === 'block') return { do: 'block', reason: moved.text }
    if (moved.to === 'allow') return withWarning([...news, ...(moved.warning === undefined ? [] : [moved.warning])])
    news.push(moved.news)
    if (!busExists(store)) break
    await releaseRun(store, session, run, now())
  }
  return withWarning(news)
}

const withWarning = (news: readonly string[]): Answer =>
  news.length === 0 ? allow : { do: 'allow', warning: `loop: ${news.join(' ')}` }

/**
 * One run at a time is moved by one process. What was decided between the first look and the lock was decided by
 * another hook of the same stop, which answers.
 */
async function moveOnce(
  id: string,
  event: StopEvent,
  session: Session,
  world: TurnWorld,
  news: readonly string[],
): Promise<Moved> {
  const record = openRecord(world.store, session, id, world)
  const seen = record.read()
  if (seen === undefined) return { to: 'over', news: `the record of run ${id} is gone; it is given up.` }
  if (seen.isOver) return { to: 'over', news: `run ${id} has ended.` }
  if (!isMadeHere(world.store, seen.started, world.env))
    return { to: 'allow', warning: `${notMadeHere(world.store, id)}.` }
  try {
    return await holdLock(
      turnLock(world.store, id),
      async () => {
        const run = record.read()
        if (run === undefined || run.decisions !== seen.decisions) return { to: 'overtaken' }
        return moveRun({ record, event, session, world, news, worker: workerOfSession(session) })
      },
      { deadlineMs: lockWaitMs },
    )
  } catch (error) {
    if (isFailure(error) && error.kind === 'lockTimeout') return { to: 'overtaken' }
    throw error
  }
}

/**
 * The session was silent for so long that nobody expects its loop any more: it is paused, once, with a word to the
 * person.
 */
async function setStale(session: Session, id: string, { store, env, now }: TurnWorld): Promise<Answer> {
  const record = openRecord(store, session, id, { env, now })
  const run = record.read()
  if (run === undefined || run.isOver || run.work?.paused || run.work?.end !== undefined) return { do: 'allow' }
  if (!isMadeHere(store, run.started, env)) return { do: 'allow', warning: `loop: ${notMadeHere(store, id)}` }
  const text = 'its session was silent for too long'
  await record.tell({ event: 'warned', text: `${text}; the loop is left alone` })
  await record.tell({ event: 'control', command: 'pause', by: 'loop', text })
  await applyRequests(record, workerOfSession(session))
  const how = `To go on with it: loop resume --run ${id}; to end it: loop cancel --run ${id}`
  return { do: 'allow', warning: `loop: run ${id} is paused: ${text}. ${how}` }
}
