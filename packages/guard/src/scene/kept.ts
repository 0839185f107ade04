// Loop's own folder of this machine: the key in it tells what loop wrote itself from what an agent wrote.
import { join, normalize } from 'node:path'
import { type Command, isKnown } from '../shell/command.ts'
import { pathFrom } from '../shell/path-from.ts'
import { onceFor } from './once-for.ts'
import { isBelow, realOf } from './places.ts'
import type { Scene } from './scene.ts'

const keptFolders = onceFor((scene: Scene) =>
  scene.world.ownFolders().map((folder) => realOf(join(folder, '_'), scene).slice(0, -2)),
)

/** Whether an absolute path, or what it leads to, is that folder or lies in it. */
export function isKept(path: string, scene: Scene): boolean {
  const plain = normalize(path).replace(/(.)\/+$/, '$1')
  return [plain, realOf(join(plain, '_'), scene).slice(0, -2)].some((one) =>
    keptFolders(scene).some((folder) => one === folder || isBelow(one, folder)),
  )
}

/** The first word of a command that names it, be it to read or to write. */
export function keptPathIn({ argv, cwd, redirects, remote }: Command, scene: Scene): string | undefined {
  if (remote) return undefined
  const words = [...argv.slice(1), ...redirects.map(({ path }) => path)]
  return words.find((word) => {
    const path = pathFrom(cwd, word.replace(/^-[\w-]*=|^\w+=/, ''))
    return isKnown(path) && isKept(path, scene)
  })
}
