// How many sessions may run at a time, and how deep they may start each other.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { statAt } from '@switchyard/ground/at-path'
import { folderIn, orRefusedLater } from '@switchyard/ground/disk'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { transact } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { isPaused } from '../session/fold-session.ts'
import { liveIds, markLive } from '../session/live.ts'
import { isGone } from '../session/process-here.ts'
import { readIfOpen } from '../session/read-session.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { depthOf } from '../session/session-id.ts'
import { isOver } from '../session/transitions.ts'
import { isBehind, keepTurn, leaveQueue, queueFolder, takeTurn } from './queue.ts'

const pauseMs = 100
/** A process that dies says nothing: who waits looks at all that run this often, and else when one has ended. */
const lookMs = 1000
/** Milliseconds after which a place that nobody has begun a session at is free again: its spawner was killed. */
const placeMs = 60_000

/** What may be asked of a session's place among the others. `max` is undefined where any number may run. */
export type Room = {
  readonly max: number | undefined
  readonly isQueued: boolean
  readonly now: () => number
  /** The process that asks, and waits. */
  readonly pid: number
  readonly signal?: AbortSignal
}

/** The turn that it has taken in the queue. */
type Own = { turn: number | undefined }

/** Takes a place for a new session, whose folder goes where it gets none. */
export async function takeRoom(store: Store, id: string, room: Room): Promise<void> {
  const own: Own = { turn: undefined }
  try {
    await takePlace(store, id, room, own)
  } catch (error) {
    if (own.turn !== undefined) leaveQueue(store, own.turn)
    rmSync(sessionFolder(store, id), { recursive: true, force: true })
    throw error
  }
}

/**
 * Marks a new session as one that runs, as soon as there is room: at most `max` run, whoever asks at the same moment.
 * Exits 9 where there is none and it does not wait.
 */
async function takePlace(store: Store, id: string, room: Room, own: Own): Promise<void> {
  const { max, isQueued, signal } = room
  while (!(await orRefusedLater(`session ${id} was to get a place`, () => tryPlace(store, id, room, own)))) {
    if (!isQueued) {
      throw new Failure('limit', `${max} sessions run or wait already, which is max_running`, {
        hint: 'wait for one with scope wait --any, or add --queue',
      })
    }
    const before = signOf(store)
    for (let waitedMs = 0; waitedMs < lookMs && signOf(store) === before; waitedMs += pauseMs) {
      await sleep(pauseMs)
      signal?.throwIfAborted()
      if (own.turn !== undefined) keepTurn(store, own.turn, room.now())
    }
  }
}

/** Takes a place where there is one for who is the first to wait; else, if it is to wait, a turn. */
function tryPlace(store: Store, id: string, { max, isQueued, now, pid }: Room, own: Own): Promise<boolean> {
  return transact(join(store.path, 'running'), () => {
    if (own.turn !== undefined && !keepTurn(store, own.turn, now())) own.turn = undefined
    const isFree = max === undefined || (!isBehind(store, own.turn, now()) && runningBeside(store, id, now()) < max)
    if (isFree) {
      markLive(store, id)
      if (own.turn !== undefined) leaveQueue(store, own.turn)
    } else if (isQueued) own.turn ??= takeTurn(store, pid)
    return isFree
  })
}

/** Changes when a session ends, or somebody leaves the queue, and is cheap to read. */
const signOf = (store: Store): string =>
  [join(store.path, 'ended.jsonl'), folderIn(store, 'live'), queueFolder(store)]
    .map((path) => statAt(path))
    .map((stat) => `${stat?.mtimeMs} ${stat?.size}`)
    .join()

/** A loop counts once, with what it starts. */
function runningBeside(store: Store, id: string, now: number): number {
  return liveIds(store).filter((other) => other !== id && !/-(?:do|check)$/.test(other) && isRunning(store, other, now))
    .length
}

function isRunning(store: Store, id: string, now: number): boolean {
  const session = readIfOpen(store, id)
  if (session === undefined) return now - markedAt(store, id) < placeMs
  return !isOver(session.state) && !isPaused(session) && !(session.process !== undefined && isGone(session.process))
}

function markedAt(store: Store, id: string): number {
  try {
    return statSync(join(folderIn(store, 'live'), id)).mtimeMs
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return 0
  }
}

/** Exits 9 where a session would stand deeper than it may. */
export function requireDepth(parent: string | undefined, max: number): void {
  const depth = parent === undefined ? 0 : depthOf(parent) + 1
  if (depth <= max) return
  throw new Failure('limit', `a session of ${parent} would be ${depth} deep, and at most ${max} is allowed`, {
    hint: 'do the task yourself, or let a person raise max_depth: scope config max_depth',
  })
}
