import type { Dirent, FSWatcher } from 'node:fs'
import { entriesIn } from '@switchyard/ground/disk'
import { isFailure, systemCode } from '@switchyard/ground/failure'
import { join, watch } from '@switchyard/ground/machine'

// No watches left, a folder that went, or a file system that sends no events: whoever watches looks from time to time
// as well.
const unwatchable = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOENT', 'EACCES', 'EPERM', 'ENOSYS', 'ENOTSUP']

function* foldersBelow(folder: string): Generator<string> {
  yield folder
  for (const entry of readable(folder)) {
    if (entry.isDirectory() && !entry.name.endsWith('.lock')) yield* foldersBelow(join(folder, entry.name))
  }
}

/** One that may not be read is not watched: whoever lists the topics says so. */
function readable(folder: string): Dirent[] {
  try {
    return entriesIn(folder)
  } catch (error) {
    if (!isFailure(error)) throw error
    return []
  }
}

/**
 * Calls `onChange` when a file or folder comes or goes below `root`, in the folders that were there at the last
 * `refresh`. Events may be missed, so it is a hint and no promise.
 */
export function watchTree(root: string, onChange: () => void): { refresh(): void; close(): void } {
  const watchers = new Map<string, FSWatcher>()
  const forget = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string) => {
    try {
      const watcher = watch(folder, (event) => {
        if (event === 'rename') onChange()
      })
      watcher.on('error', () => forget(folder))
      watchers.set(folder, watcher)
    } catch (error) {
      if (!unwatchable.includes(systemCode(error) ?? '')) throw error
    }
  }
  return {
    refresh() {
      for (const folder of foldersBelow(root)) if (!watchers.has(folder)) add(folder)
    },
    close() {
      for (const folder of [...watchers.keys()]) forget(folder)
    },
  }
}
