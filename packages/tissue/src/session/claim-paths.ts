// A claim together with leases of paths on the bus: both or neither.

import { needBus, noteUnlessBug } from '../bus/bus.ts'
import { acquireLease, type PathLease, releaseLeases } from '../bus/jwz.ts'
import type { Need } from '../cache/need.ts'
import type { Wish } from '../change/claim.ts'
import type { Actor } from '../change/fence.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { change, look, nameOf, type StoreScene } from './session.ts'

/** `take` decides on the claim, out of as much of the log as it needs; `paths` go with it. */
type PathClaim = {
  readonly paths: readonly string[]
  readonly ttlMs: number | undefined
  readonly take: (before: Ledger, actor: Actor, wish: Wish) => Draft
  readonly need: Need
}

/**
 * Leases the paths, then writes the claim that `take` decides on, which names them. When the claim is lost, the leases
 * go back; killed in between, they run out as a claim would. Exits 2 without a bus, 5 when another has a path, 8 when
 * jwz cannot be run.
 */
export async function claimWithPaths(
  scene: StoreScene,
  { paths, ttlMs, take, need }: PathClaim,
): Promise<Awaited<ReturnType<typeof change>>> {
  needBus(scene)
  const actor = { by: nameOf(scene), at: scene.now() }
  // Whoever cannot have the issue does not stand in the way of others' paths, not for a moment.
  const draft = take(look(scene, need).ledger, actor, { ttlMs })
  if (draft.type !== 'claimed') throw new Error('bug: a claim was to be decided')
  const wanted = { by: actor.by, ttlMs: draft.until - actor.at, reason: `tissue claim ${draft.issue}` }
  const lease = await acquireLease(scene, paths, wanted)
  try {
    return await change(scene, (before, now) => [take(before, now, { ttlMs, leases: lease.keys })], need)
  } catch (error) {
    await giveBack(scene, lease, actor.by)
    throw error
  }
}

async function giveBack(scene: StoreScene, { id, isNew }: PathLease, by: string): Promise<void> {
  if (!isNew) return
  try {
    await releaseLeases(scene, [id], by)
  } catch (error) {
    noteUnlessBug(scene, 'the leases were not given back and run out by themselves', error)
  }
}
