// When a hook of a host last fired in a repository, for `loop doctor`: the time of a file in loop's private folder.

import { systemCode } from '@switchyard/ground/failure'
import { existsSync, join, mkdirSync, utimesSync } from '@switchyard/ground/machine'
import { writePlainFile } from '@switchyard/ground/plain-file'
import type { EventName } from '@switchyard/wire/adapter'
import type { Host } from '@switchyard/wire/host'
import { ownFolder } from './own-folder.ts'

/** Where the times of hooks are kept. */
export const hooksFolder = (commonDir: string) => ownFolder(commonDir, 'hooks')

/** What is noted when a plugin has the hook: the host says so in the environment of the hook itself. */
export const fromPlugin = 'plugin'

/** Notes that a hook fires now, where loop was ever used in the repository. What the disk refuses is left out. */
export function noteHook(commonDir: string, host: Host, event: EventName | typeof fromPlugin, now: number): void {
  if (!existsSync(join(commonDir, 'loop'))) return
  const path = join(hooksFolder(commonDir), `${host}.${event}`)
  try {
    if (!existsSync(path)) {
      mkdirSync(hooksFolder(commonDir), { recursive: true })
      writePlainFile(path, '')
    }
    utimesSync(path, now / 1000, now / 1000)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
  }
}
