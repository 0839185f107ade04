import { defineVerb } from '@switchyard/cli-kit'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { follow } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { blockersOf, decideAcquire, type Wish } from '../lease/decide.ts'
import type { Lease } from '../lease/fold.ts'
import { getLease, leaseLog, readLeases } from '../lease/log.ts'
import {
  asFlag,
  change,
  checkReason,
  checkTtl,
  keysOf,
  type LeaseScene,
  nameOf,
  noteFiles,
  ttlFlag,
} from '../lease/session.ts'
import { leaseId, viewOf } from '../render/lease.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** The longest a timer can be set to, 24 days. */
const timerMsMax = 2 ** 31 - 1

/** `jwz lease acquire`: takes all keys or none, and prints the id of the lease. Exits 5 when another holds one. */
export const leaseAcquire = defineVerb({
  summary: 'Take a lease on names or path patterns',
  args: [{ name: 'key', summary: 'Names such as deploy, path patterns such as src/**', rest: true }],
  flags: {
    shared: { type: 'boolean', summary: 'Let others have a shared lease beside it' },
    ...ttlFlag,
    reason: { type: 'string', value: 'TEXT', summary: 'What for; those who are kept out read it' },
    wait: { type: 'duration', summary: 'Wait so long for those who hold it' },
    ...asFlag,
    ...storeFlag,
  },
  examples: ["jwz lease acquire 'src/**' --reason 'new parser'", 'jwz lease acquire deploy --wait 10m'],
  async run(call) {
    const { args, flags, output, now } = call
    const store = openStore(call)
    const wish: Wish = {
      keys: keysOf(call, store, args.key),
      mode: flags.shared ? 'shared' : 'exclusive',
      ttlMs: checkTtl(flags.ttl),
      reason: checkReason(flags.reason),
    }
    noteFiles(call, args.key)
    const lease = await acquire(call, store, wish, flags.wait)
    output.one(viewOf(lease, now()), { text: leaseId, id: leaseId })
    return undefined
  },
})

async function acquire(scene: LeaseScene, store: Store, wish: Wish, waitMs: number | undefined): Promise<Lease> {
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
