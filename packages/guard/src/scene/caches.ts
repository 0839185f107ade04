// Folders that programs fill for themselves and fill again when they are gone.

import { isBelow } from './places.ts'
import type { Scene } from './scene.ts'

const inHome = [
  '.cache',
  '.npm',
  '.gradle/caches',
  '.cargo/registry',
  '.yarn/cache',
  '.pnpm-store',
  '.bun/install/cache',
  '.local/share/pnpm/store',
  'go/pkg/mod/cache',
  'Library/Caches',
]
const ofSystem = ['/var/cache', '/var/lib/apt/lists', '/usr/local/share/.cache']

/** Whether a path, or all that is in it, is a cache: that of the home folder, or a part of the system's. */
export function isCache(path: string, { world }: Scene): boolean {
  const plain = path.replace(/\/+\*?$/, '')
  const homes = [world.home, '/root']
  const folders = [...homes.flatMap((home) => inHome.map((name) => `${home}/${name}`)), ...ofSystem]
  return folders.some((folder) => isBelow(plain, folder) || (plain === folder && folder !== '/var/cache'))
}
