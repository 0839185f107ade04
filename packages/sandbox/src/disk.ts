import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { statAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'

/** What is asked of the disk, so that what is shown inside is a function of it. */
export type Disk = {
  isThere(path: string): boolean
  /** Whether it is a file, behind every link, that somebody may start. */
  isProgram(path: string): boolean
  /** Behind every link; undefined where nothing is. */
  realPath(path: string): string | undefined
  /** What a link says; undefined for what is no link. */
  linkAt(path: string): string | undefined
  /** Names in a folder; none where there is no folder. */
  namesIn(path: string): readonly string[]
}

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
