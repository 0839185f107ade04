import { closeSync, copyFileSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './segments.ts'

/**
 * Copies a file so that others see the copy whole or not at all, and onto the disk. `draft` is a path of its own beside
 * it. Throws what the disk answers.
 */
export function copyWhole(from: string, to: string, draft: string): void {
  copyFileSync(from, draft)
  const fd = openSync(draft, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(draft, to)
  syncFolder(dirname(to))
}
