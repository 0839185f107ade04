// A run whose session is gone hears nothing any more: what is asked of it is done by who asks.

import { dirname } from 'node:path'
import { holdLock } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { topicPath } from '@switchyard/topic'
import { releaseRun } from '../record/binding.ts'
import { runTopic } from '../record/journal.ts'
import { requireMadeHere } from '../record/made-here.ts'
import { applyRequests } from '../record/requests.ts'
import { openRecord } from '../record/session-record.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { Session } from '../state/event-schema.ts'
import { endWork } from './end-work.ts'
import { openPlace } from './open-place.ts'
import type { TurnWorld } from './turn-world.ts'

/** Applies what was asked of a run, and ends it when that is what was asked. */
export async function settleLeft(id: string, session: Session | null, world: TurnWorld): Promise<void> {
  const { store, env, now } = world
  requireMadeHere(store, id, env)
  const who = session ?? { host: 'claude' as const, id: 'nobody' }
  const record = openRecord(store, who, id, world)
  // What a step of `loop run --once` has claimed is its worker's to give back.
  const worker = record.read()?.claimed?.worker ?? workerOfSession(who)
  await holdLock(turnLock(store, id), async () => {
    await applyRequests(record, worker)
    const run = record.read()
    if (run?.work?.end === undefined) return
    const place = await openPlace({ record, world, worker, session: who }, run)
    try {
      await endWork(record, place, run)
    } finally {
      place.close()
    }
    if (session !== null) await releaseRun(store, session, id, now())
  })
}

/** What is held while a run is moved, so that one process at a time does it. */
export const turnLock = (store: Store, run: string) => `${dirname(topicPath(store, runTopic(run)))}/${run}.turn`
