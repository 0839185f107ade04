import { Failure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import { decideSteal } from './decide.ts'
import type { Lease } from './fold.ts'
import { getLease } from './log.ts'
import { change, type LeaseScene, targetsOf } from './session.ts'

/** Takes over the lease of another, named by its id or one of its keys, with all its keys, and tells them why. */
export async function stealLease(
  scene: LeaseScene,
  store: Store,
  texts: readonly string[],
  { ttlMs, reason }: { ttlMs: number; reason: string | undefined },
): Promise<Lease> {
  const [target, second] = targetsOf(scene, store, texts)
  if (target === undefined || second !== undefined)
    throw new Failure('usage', `--steal takes over one lease, got ${texts.length} keys`, {
      hint: 'name one of its keys; all are taken over',
    })
  if (reason === undefined)
    throw new Failure('usage', 'expected --reason TEXT, which the former holder reads; got none')
  const { written, reading } = await change(scene, [target], (leases, actor) =>
    decideSteal(leases, actor, target, { ttlMs, reason }),
  )
  const [record] = written
  if (record === undefined) throw new Error('bug: a lease was decided and not written')
  return getLease(reading, record.id)
}
