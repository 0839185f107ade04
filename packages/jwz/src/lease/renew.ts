import type { Store } from '@switchyard/topic'
import { decideRenew, type Wish } from './decide.ts'
import type { Lease } from './fold.ts'
import { change, type LeaseScene, targetsOf } from './session.ts'

/** Keeps leases for longer, named by ids or keys. Exits 5 when another has one by now, 3 when there is none. */
export async function renewLeases(
  scene: LeaseScene,
  store: Store,
  texts: readonly string[],
  wish: Pick<Wish, 'ttlMs' | 'reason'>,
): Promise<Lease[]> {
  const targets = targetsOf(scene, store, texts)
  const { written, reading } = await change(scene, targets, (leases, actor) =>
    decideRenew(leases, actor, targets, wish),
  )
  const renewed = new Set(written.flatMap((record) => (record.type === 'renew' ? [record.lease] : [])))
  return [...reading.leases.current.values()].filter(({ id }) => renewed.has(id))
}
