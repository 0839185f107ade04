// The folder of this user on this machine: what a tool must know to be its own, and no repository may bring with it.

import type { Stats } from 'node:fs'
import { lstatAt } from './at-path.ts'
import { makeFolder } from './disk.ts'
import { isFailure, systemCode } from './failure.ts'
import { dirname, getBuiltinModule, getuid, isAbsolute, join, mkdirSync, realpathSync } from './machine.ts'
import { findRepository } from './repository.ts'

/** Loaded when the environment does not tell: each hook would wait for it. */
const os = () => getBuiltinModule('node:os')

export type Env = Readonly<Record<string, string | undefined>>

/**
 * Where it may be, the first choice first: below the user's home, else in a folder of the user's own among the
 * temporary files. Nothing is looked at.
 */
export function stateFolders(env: Env): string[] {
  const named = env['XDG_STATE_HOME']
  const home = homeOf(env)
  const below = named !== undefined && isAbsolute(named) ? named : home && join(home, '.local', 'state')
  const temporary = env['TMPDIR'] && isAbsolute(env['TMPDIR']) ? env['TMPDIR'] : os().tmpdir()
  return [...(below ? [join(below, 'switchyard')] : []), join(temporary, `switchyard-${getuid?.() ?? 'user'}`)]
}

/**
 * A folder of these that is fit to keep a secret, made when it is missing: this user's, closed to others, no link, and
 * in no repository. Undefined when it cannot be.
 */
export function closedFolder(path: string, env: Env): string | undefined {
  return orNothing(() => {
    if (statOf(path) === undefined) {
      makeFolder(dirname(path))
      makeClosed(path)
    }
    const stats = statOf(path)
    if (!stats?.isDirectory() || !isPrivate(stats)) return undefined
    const real = realpathSync.native(path)
    return findRepository(real, homeOf(env)) === undefined ? real : undefined
  })
}

/** Whether only this user may read and write it. */
export function isPrivate({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  const user = getuid?.()
  return user === undefined || (uid === user && (mode & 0o077) === 0)
}

/** What the disk refuses counts as not there: undefined. */
export function orNothing<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (systemCode(error) === undefined && !isFailure(error)) throw error
    return undefined
  }
}

const statOf = (path: string) => lstatAt(path)

/** Another process may make it at the same moment. */
function makeClosed(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

/** A user that the system does not know has none. */
function homeOf(env: Env): string | undefined {
  const named = env['HOME']
  if (named !== undefined) return isAbsolute(named) ? named : undefined
  return orNothing(() => os().homedir())
}
