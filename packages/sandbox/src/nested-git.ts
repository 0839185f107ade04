// Repositories in the folders of a working tree. Git outside asks each that its index names how its files stand, with
// that one's own settings and filters: what was made or put there inside must not be one any more.
import { renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cleanEnv, execute } from '@switchyard/exec'
import { lstatAt } from '@switchyard/ground/at-path'
import { Failure } from '@switchyard/ground/failure'

type Env = Readonly<Record<string, string | undefined>>

/** Each `.git` below the top one, with what tells it from another at its path. */
export type NestedGit = ReadonlyMap<string, string>

const timeoutMs = 10 * 60_000
const outputBytesMax = 16 * 1024 * 1024

/** Folders that cannot be looked into are as closed to git. Failure `failed` where there are more than can be told. */
export async function findNestedGit(workTree: string, env: Env): Promise<NestedGit> {
  const argv = ['find', workTree, '-mindepth', '2', '-iname', '.git', '-prune', '-print0']
  const { stdout, truncated, timedOut } = await execute(argv, {
    ...{ cwd: workTree, env: cleanEnv(env), timeoutMs, outputBytesMax },
  })
  if (truncated || timedOut) {
    throw new Failure('failed', `expected to find each repository in the folders of ${workTree}, there are too many`)
  }
  const paths = stdout.split('\0').filter((path) => path !== '')
  return new Map(paths.map((path) => [path, identityAt(path)]))
}

function identityAt(path: string): string {
  const stats = lstatAt(path)
  return stats === undefined ? '' : `${stats.dev} ${stats.ino}`
}

/**
 * Takes away what is there now and was not before, or is another now; with `keeps` it is only no repository any more.
 * Returns the new names of what is kept.
 */
export function clearNestedGit(before: NestedGit, now: NestedGit, { keeps }: { keeps: boolean }): string[] {
  const planted = [...now].filter(([path, identity]) => before.get(path) !== identity).map(([path]) => path)
  return planted.flatMap((path) => {
    if (keeps) return [setAside(path)]
    rmSync(path, { recursive: true, force: true })
    return []
  })
}

function setAside(path: string): string {
  for (let number = 1; ; number++) {
    const aside = join(dirname(path), number === 1 ? 'git-from-sandbox' : `git-from-sandbox-${number}`)
    if (lstatAt(aside) !== undefined) continue
    renameSync(path, aside)
    return aside
  }
}
