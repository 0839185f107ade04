// Waking up when something happens in the folders of some files, which may not exist yet.
import type { FSWatcher } from 'node:fs'
import { systemCode } from '@switchyard/ground/failure'
import { dirname, watch } from '@switchyard/ground/machine'
import { inodeAt } from './segments.ts'

/** `next` resolves when something may have happened since the last time, at the latest after the poll interval. */
export type Watch = { next(): Promise<void>; wake(): void; close(): void }

type Watched = { folder: string; inode: number | undefined; watcher: FSWatcher }

// No watches left, or a file system that has none: the poll has to do.
const unwatchable = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOENT', 'EACCES', 'EPERM', 'ENOSYS', 'ENOTSUP']

/** Watches the folder of each path, or the nearest one above that exists, so that its coming is noticed, too. */
export function watchFolders(paths: readonly string[], pollMs: number): Watch {
  let happened = false
  let resume: (() => void) | undefined
  let watched: Watched[] = []
  const wake = () => {
    happened = true
    resume?.()
  }
  const close = () => {
    for (const { watcher } of watched) watcher.close()
    watched = []
  }
  const rewatch = () => {
    const wanted = new Set(paths.map((path) => nearestFolder(dirname(path))))
    const stays = ({ folder, inode }: Watched) => wanted.has(folder) && inodeAt(folder) === inode
    for (const { watcher } of watched.filter((entry) => !stays(entry))) watcher.close()
    watched = watched.filter(stays)
    const isNew = (folder: string) => !watched.some((entry) => entry.folder === folder)
    const added = [...wanted].filter(isNew).flatMap((folder) => startWatch(folder, wake))
    watched.push(...added)
    // Between the last look and a new watch things may have happened unseen.
    if (added.length > 0) happened = true
  }
  const next = async () => {
    rewatch()
    if (!happened) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs)
        resume = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      resume = undefined
    }
    happened = false
  }
  rewatch()
  return { next, wake, close }
}

function startWatch(folder: string, wake: () => void): Watched[] {
  const inode = inodeAt(folder)
  try {
    const watcher = watch(folder, wake)
    watcher.on('error', wake)
    return [{ folder, inode, watcher }]
  } catch (error) {
    if (unwatchable.includes(systemCode(error) ?? '')) return []
    throw error
  }
}

function nearestFolder(folder: string): string {
  const parent = dirname(folder)
  return parent === folder || inodeAt(folder) !== undefined ? folder : nearestFolder(parent)
}
