import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { type GuardWorld, openWorld } from '../src/scene/world.ts'

/** The world of a machine whose person has trusted no settings. */
export function worldOf(env: { HOME: string } & GuardWorld['env']): GuardWorld {
  return openWorld(env, {
    configIn(root) {
      try {
        return readFileSync(join(root, 'loop.json'), 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    trusts: () => false,
    ownFolders: () => [join(env.HOME, '.local/state/switchyard'), join(tmpdir(), `switchyard-${getuid?.() ?? 'user'}`)],
  })
}
