import { openBudget } from '../shell/budget.ts'
import type { Scene } from './scene.ts'
import type { GuardWorld } from './world.ts'

const looksAt = 10

/** The scene in which one call is judged: each look at the disk is counted, and made once. */
export function metered(scene: Scene): Scene {
  return { ...scene, world: meteredWorld(scene.world) }
}

function meteredWorld(world: GuardWorld): GuardWorld {
  const spend = openBudget(world.clock)
  return {
    ...world,
    spend,
    read: once(world.read),
    realPath: once(world.realPath),
    namesIn: once((folder) => {
      const names = world.namesIn(folder)
      spend(names.length)
      return names
    }),
    repositoryAt: once(world.repositoryAt),
  }

  function once<T>(look: (path: string) => T): (path: string) => T {
    const seen = new Map<string, { readonly found: T }>()
    return (path) => {
      spend(looksAt + path.length / 16)
      const known = seen.get(path) ?? { found: look(path) }
      seen.set(path, known)
      return known.found
    }
  }
}
