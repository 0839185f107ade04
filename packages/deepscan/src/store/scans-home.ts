import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { makeFolder } from '@switchyard/ground/disk'
import { isFailure, systemCode } from '@switchyard/ground/failure'
import { isOurs } from '@switchyard/ground/safe-directory'
import { fail } from '../errors/fail.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** The folder that scans lie in: `DEEPSCAN_HOME`, else below the user's cache folder. Nothing is looked at. */
export function scansHome(env: Env): string {
  const named = env['DEEPSCAN_HOME']
  if (named !== undefined && named !== '') {
    if (isAbsolute(named)) return named
    throw fail('DS-305', { path: named, reason: 'DEEPSCAN_HOME is no absolute path' })
  }
  const cache = env['XDG_CACHE_HOME']
  if (cache !== undefined && isAbsolute(cache)) return join(cache, 'deepscan')
  const home = env['HOME']
  return join(home !== undefined && isAbsolute(home) ? home : homedir(), '.cache', 'deepscan')
}

/**
 * Makes the folders of scans, for this user alone. Fails as DS-305 when the disk refuses, or when a link or another
 * user's folder is in their place.
 */
export function makeScansHome(home: string): void {
  try {
    if (lstatAt(home) === undefined) {
      makeFolder(join(home, '..'))
      makePrivate(home)
    }
    refuseForeign(home)
    for (const name of ['scans', 'current', 'cache']) {
      makePrivate(join(home, name))
      refuseForeign(join(home, name))
    }
  } catch (error) {
    throw asCacheFailure(home, error)
  }
}

/** The failure that the disk means by an error while scans are kept; any other error as it came. */
export function asCacheFailure(path: string, error: unknown): unknown {
  if (isFailure(error)) {
    const isDisk = error.kind === 'failed' && !('details' in error)
    return isDisk ? fail('DS-305', { path, reason: error.message }) : error
  }
  const code = systemCode(error)
  const place = error instanceof Error && 'path' in error ? String(error.path) : path
  return code === undefined || !(place.startsWith(path) || path.startsWith(place))
    ? error
    : fail('DS-305', { path, reason: `the disk answered ${code}` })
}

/** Fails as DS-305 where a folder of scans is a link or another user may write there. */
export function refuseForeign(path: string): void {
  const stats = lstatAt(path)
  if (stats === undefined) return
  const reason = foreignness(stats)
  if (reason !== undefined) throw fail('DS-305', { path, reason, hint: 'name another folder with DEEPSCAN_HOME' })
}

function foreignness(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a link'
  if (!stats.isDirectory()) return 'it is no folder'
  if (!isOurs(stats)) return 'it belongs to another user'
  return (stats.mode & 0o022) === 0 ? undefined : 'others may write there'
}

function makePrivate(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !lstatSync(path).isDirectory()) throw error
  }
}
