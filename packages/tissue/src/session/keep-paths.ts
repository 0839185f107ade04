// The leases on the bus that a claim brought along are kept as long as the claim is.
import { Failure, isFailure } from '@switchyard/ground/failure'
import { atTop, noteUnlessBug } from '../bus/bus.ts'
import { renewLeases } from '../bus/jwz.ts'
import type { Claim } from '../schema/schemas.ts'
import type { StoreScene } from './session.ts'

/**
 * Renews the leases of a claim until its end. Exits 5 when another has one of the paths by now; a bus that cannot be
 * reached is only worth a word.
 */
export async function keepPaths(scene: StoreScene, { by, until, leases = [] }: Claim): Promise<void> {
  if (leases.length === 0) return
  try {
    await renewLeases(atTop(scene), leases, by, Math.max(1, until - scene.now()))
  } catch (error) {
    if (isFailure(error) && error.kind === 'conflict')
      throw new Failure('conflict', `the claim goes on, but not its leases: ${error.message}`, {
        hint: 'stop changing those files',
        cause: error,
      })
    noteUnlessBug(scene, 'the leases were not renewed', error)
  }
}
