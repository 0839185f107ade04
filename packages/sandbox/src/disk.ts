import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { statAt } from '@switchyard/cli-kit/at-path'
import { systemCode } from '@switchyard/cli-kit/failure'
import type { Disk } from './confinement.ts'

/** The disk of this machine; what is hidden from its user is not there. */
export const diskHere: Disk = {
  isThere: (path) => orUndefined(() => statAt(path)) !== undefined,
  isProgram(path) {
    const stats = orUndefined(() => statAt(path))
    return stats?.isFile() === true && (stats.mode & 0o111) !== 0
  },
  realPath: (path) => orUndefined(() => realpathSync.native(path)),
  linkAt: (path) => orUndefined(() => readlinkSync(path)),
  namesIn: (path) => orUndefined(() => readdirSync(path).sort()) ?? [],
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
