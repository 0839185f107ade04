// `loop.json` as text. It may have come with a repository: no link is followed, and it is bounded.

import { lstatIfThere, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { join } from '@switchyard/ground/machine'

export const configName = 'loop.json'
const bytesMax = 1024 * 1024

/** The text of loop.json; undefined where there is none. Failure `usage` for one too long, `conflict` for a link. */
export function readConfigText(root: string): string | undefined {
  const path = join(root, configName)
  const stats = lstatIfThere(path)
  if (stats === undefined) return undefined
  if (!stats.isSymbolicLink() && (!stats.isFile() || stats.size > bytesMax)) {
    throw new Failure('usage', `expected ${path} to be a file of at most ${bytesMax} bytes, it is not`)
  }
  return readStored(path)
}
