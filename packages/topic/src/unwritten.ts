// When the disk refuses a place that somebody named to be written: they may name another.
import { Failure, systemCode } from '@switchyard/ground/failure'

const noRight = 'give this user the right, or name another place'
const inTheWay = 'a file has the place of a folder; name another place'
const noRoom = 'make room, or name a place on another disk'

/** What to do about the disk's answer, where somebody may name another place. */
const advice: ReadonlyMap<string, string> = new Map([
  ...['EACCES', 'EPERM', 'EROFS'].map((code) => [code, noRight] as const),
  ...['EEXIST', 'ENOTDIR'].map((code) => [code, inTheWay] as const),
  ...['ENOSPC', 'EDQUOT', 'EFBIG'].map((code) => [code, noRoom] as const),
  ['ENAMETOOLONG', 'give it a shorter name'],
])

/**
 * Does what `purpose` says ("/a was to be written") to a place that somebody named; where the disk refuses, fails as
 * `failed` with its answer and what to do.
 */
export function orUnwritten<T>(purpose: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const hint = advice.get(code) ?? 'name another place'
    throw new Failure('failed', `${purpose}, the disk answered ${code}`, { hint, cause: error })
  }
}
