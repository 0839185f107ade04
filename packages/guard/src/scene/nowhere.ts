import { readScene, type Scene } from './scene.ts'

/** A scene in a world with nothing in it, in which the build lets a little of everything be judged once. */
export function nowhere(): Scene {
  const nothing = () => undefined
  const world = {
    env: {},
    home: '/home/nobody',
    read: nothing,
    scriptAt: nothing,
    configIn: nothing,
    trusts: () => false,
    ownFolders: () => [],
    realPath: nothing,
    namesIn: () => [],
    repositoryAt: nothing,
    clock: () => 0,
    spend: nothing,
  }
  return readScene('/nowhere', world)
}
