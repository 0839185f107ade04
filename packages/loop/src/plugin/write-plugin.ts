import { dirname, join } from 'node:path'
import { makeFolder, orRefused } from '@switchyard/ground/disk'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Files } from './plugin-text.ts'

/**
 * Writes a plugin's files, each whole or not at all. What else is in the folder stays: somebody may have added an agent
 * there. Failure `failed` when the disk refuses.
 */
export function writePlugin(dir: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(dir, path)
    orRefused(`${full} was to be written`, () => {
      makeFolder(dirname(full))
      writeWhole(full, `${full}.draft`, text)
    })
  }
}
