// Following logs: lines as they are appended, within milliseconds, whatever happens to the files.
import { logReader, type Start } from './log-reader.ts'
import type { Line } from './read.ts'
import { watchFolders } from './watch.ts'

/**
 * `from` (default `end`): where to begin, for all paths or by path. A log that does not exist yet is followed from
 * its start. `signal` ends it.
 */
export type FollowOptions = { from?: Start | ((path: string) => Start); signal?: AbortSignal }

// Events come within milliseconds; this catches what they miss (network folders, too many watches, a folder that
// came and went).
const pollMs = 1_000

/**
 * Yields each line of one or more logs as it is appended, until `signal` is aborted; `end` is what there is when
 * this is called. Survives logs and folders that do not exist yet, sealing, truncation, and replacement by another
 * file (what was read is recognised by its bytes, or by ids). A record with an id comes once, a damaged line is
 * passed on like any other.
 */
export function follow(
  paths: string | readonly string[],
  { from = 'end', signal }: FollowOptions = {},
): AsyncGenerator<Line, void> {
  const list = typeof paths === 'string' ? [paths] : paths
  const readers = list.map((path) => logReader(path, typeof from === 'function' ? from(path) : from))
  return followReaders(list, readers, signal)
}

async function* followReaders(
  paths: readonly string[],
  readers: readonly (() => Generator<Line>)[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Line, void> {
  const watch = watchFolders(paths, pollMs)
  signal?.addEventListener('abort', watch.wake)
  try {
    while (!signal?.aborted) {
      for (const readNew of readers) {
        for (const line of readNew()) {
          if (signal?.aborted) return
          yield line
        }
      }
      await watch.next()
    }
  } finally {
    signal?.removeEventListener('abort', watch.wake)
    watch.close()
  }
}
