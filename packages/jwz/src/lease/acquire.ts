import { Failure, isFailure } from '@switchyard/ground/failure'
import { follow } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { blockersOf, decideAcquire, type Wish } from './decide.ts'
import type { Lease } from './fold.ts'
import { getLease, leaseLog, readLeases } from './log.ts'
import { change, type LeaseScene, nameOf } from './session.ts'

/** The longest a timer can be set to, 24 days. */
const timerMsMax = 2 ** 31 - 1

/** Takes all keys of a wish or none; `waitMs` is how long those who hold one are waited for. */
export async function acquireLease(
  scene: LeaseScene,
  store: Store,
  wish: Wish,
  waitMs: number | undefined,
): Promise<Lease> {
  const deadline = scene.now() + (waitMs ?? 0)
  for (;;) {
    try {
      const { written, reading } = await change(scene, [], (leases, actor) => decideAcquire(leases, actor, wish))
      const [record] = written
      if (record === undefined || record.type === 'base') throw new Error('bug: a lease was decided and not written')
      return getLease(reading, record.lease)
    } catch (error) {
      if (waitMs === undefined || !isFailure(error) || error.kind !== 'conflict') throw error
      const leftMs = deadline - scene.now()
      if (leftMs <= 0) {
        throw new Failure('waitTimeout', `waited ${waitMs / 1000} s: ${error.message}`, {
          hint: 'wait longer with --wait',
        })
      }
      await untilItMayBeFree(scene, store, wish, leftMs)
    }
  }
}

/** Ends when somebody has written to the log, when the first lease in the way is over, or when `leftMs` have passed. */
async function untilItMayBeFree(scene: LeaseScene, store: Store, wish: Wish, leftMs: number): Promise<void> {
  const log = leaseLog(store)
  const { leases, end } = readLeases(log)
  const at = scene.now()
  const blockers = blockersOf(leases, { from: nameOf(scene, store), at }, wish)
  if (blockers.length === 0) return
  const overMs = Math.min(...blockers.map(({ until }) => until - at))
  const signal = AbortSignal.timeout(Math.max(1, Math.min(overMs, leftMs, timerMsMax)))
  const lines = follow(log, { from: end ?? 'start', signal })
  await lines.next()
  await lines.return()
}
