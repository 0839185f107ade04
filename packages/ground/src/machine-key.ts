// The secret of this user on this machine, by which a tool knows again what it wrote itself.
import { closeSync, constants, fstatSync, linkSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from './disk.ts'
import { systemCode } from './failure.ts'
import { closedFolder, type Env, isPrivate, orNothing, stateFolders } from './state-folder.ts'
import { ulid } from './ulid.ts'

const keyPattern = /^[0-9a-f]{64}\n$/
const keyLength = 65

/**
 * The key, as hexadecimal digits; made once, all processes agree on it. `random` gives so many random bytes. Undefined
 * where no folder can keep one: then nothing is signed, and nothing signed counts.
 */
export function readMachineKey(env: Env, random: (bytes: number) => Uint8Array): string | undefined {
  for (const candidate of stateFolders(env)) {
    const folder = closedFolder(candidate, env)
    const key = folder && (keyIn(folder) ?? makeKey(folder, random))
    if (key) return key
  }
  return undefined
}

/** Undefined when there is none, or one that others could have read or put there. */
function keyIn(folder: string): string | undefined {
  return orNothing(() => {
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
    const descriptor = openSync(join(folder, 'key'), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile() || !isPrivate(stats) || stats.size !== keyLength) return undefined
      const bytes = Buffer.alloc(keyLength)
      const text = bytes.toString('latin1', 0, readSync(descriptor, bytes))
      return keyPattern.test(text) ? text.trim() : undefined
    } finally {
      closeSync(descriptor)
    }
  })
}

/** When several make a key at once the first is everybody's; a damaged one stays, for the person to look at. */
function makeKey(folder: string, random: (bytes: number) => Uint8Array): string | undefined {
  return orNothing(() => {
    const draft = join(folder, `key.${ulid(Date.now())}.draft`)
    try {
      writeFileSync(draft, `${Buffer.from(random(32)).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true })
      linkSync(draft, join(folder, 'key'))
      syncFolder(folder)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    return keyIn(folder)
  })
}
