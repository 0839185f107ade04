// Runs once before the workers of a suite start: scans of tests are kept in no folder of the person who runs them.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { removeBusy } from './folder.ts'

/**
 * Gives the suite a folder for scans, which the workers and all that they start inherit; it goes when they are done.
 * vitest calls it by this name.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-scans-'))
  env['DEEPSCAN_HOME'] = folder
  return () => removeBusy(folder)
}
