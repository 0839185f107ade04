// Whose a repository is, and whether one of another user is to be seen: by git's own rule.
import type { Stats } from 'node:fs'
import { readIfThere, realPathIfThere } from './disk.ts'
import { Failure } from './failure.ts'
import { expandHome, protectedValues } from './git-config.ts'
import { getuid } from './machine.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Whether what lies there was put there by this user; root trusts all, since a container mounts other people's
 * repositories.
 */
export function isOurs(stats: Stats): boolean {
  const user = getuid?.()
  return user === undefined || user === 0 || stats.uid === user || stats.uid === 0
}

/**
 * Whether the user or the system has told git to trust the repository in `folder` (a real path) whoever it belongs to.
 * Asked only of what is not ours, so that the settings are read for no other.
 */
export function isSafe(folder: string, env: Env): boolean {
  let isNamed = false
  for (const value of protectedValues('safe.directory', env)) {
    const path = expandHome(value, env['HOME'] ?? '')
    if (value === '') isNamed = false
    else if (value === '*' || (path.endsWith('/*') && folder.startsWith(path.slice(0, -1)))) isNamed = true
    else if ((realPathIfThere(path) ?? path) === folder) isNamed = true
  }
  return isNamed
}

/** A store of one's own beside another user's repository would split the bus without a word. */
export function notOurs(folder: string, { uid }: Stats): Failure {
  const owner = new RegExp(`^([^:\n]+):[^:\n]*:${uid}:`, 'm').exec(readIfThere('/etc/passwd') ?? '')?.[1]
  return new Failure(
    'failed',
    `the repository ${folder} belongs to ${owner ?? `user ${uid}`}, and git is not told to trust it`,
    {
      hint: `git config --global --add safe.directory ${folder}, or name a store with --store, JWZ_STORE or TISSUE_STORE`,
    },
  )
}
