import { entriesIn, lstatIfThere, readIfThere, realPathIfThere } from '@switchyard/ground/disk'
import { isFailure } from '@switchyard/ground/failure'
import { hrtime } from '@switchyard/ground/machine'
import { findRepository, type Repository } from '@switchyard/ground/repository'
import type { Spend } from '../shell/budget.ts'

/** What a caller of the guard knows of this machine's settings, and the guard itself cannot. */
export type Keeper = {
  /** The text of a folder's loop.json: no link, and bounded. Fails where it is not. */
  readonly configIn: (root: string) => string | undefined
  /** Whether the person has trusted this text for that folder. */
  readonly trusts: (root: string, text: string) => boolean
  /** Folders in which the tools keep their keys: nothing an agent runs has any business there. */
  readonly ownFolders: () => readonly string[]
}

/** What the guard sees of the machine: it reads a few small files and runs nothing. */
export type GuardWorld = Keeper & {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The text of a file; undefined where there is none, or it cannot be read. */
  readonly read: (path: string) => string | undefined
  /** The text of a plain file that is small enough for a script which somebody wrote by hand. */
  readonly scriptAt: (path: string) => string | undefined
  readonly realPath: (path: string) => string | undefined
  readonly namesIn: (folder: string) => readonly string[]
  readonly repositoryAt: (folder: string) => Repository | undefined
  /** Milliseconds, from some moment on. */
  readonly clock: () => number
  /** Counts the steps of a judgement. */
  readonly spend: Spend
}

/** A folder, and the repository around it. */
type Seen = readonly [folder: string, repository: Repository | undefined]

const scriptBytesMax = 16 * 1024

/** The world as it is for a process with that environment; `seen` are folders, by their real paths, whose repository is known. */
export function openWorld(env: GuardWorld['env'], keeper: Keeper, seen: Iterable<Seen> = []): GuardWorld {
  const home = env.HOME ?? '/nowhere'
  const known = new Map(seen)
  return {
    ...keeper,
    env,
    home,
    read: (path) => orNothing(() => readIfThere(path)),
    scriptAt: (path) =>
      orNothing(() => {
        const stats = lstatIfThere(path)
        return stats?.isFile() && stats.size <= scriptBytesMax ? readIfThere(path) : undefined
      }),
    realPath: (path) => orNothing(() => realPathIfThere(path)),
    namesIn: (folder) => orNothing(() => entriesIn(folder).map(({ name }) => name)) ?? [],
    repositoryAt: (folder) => {
      if (!known.has(folder))
        known.set(
          folder,
          orNothing(() => findRepository(folder, undefined)),
        )
      return known.get(folder)
    },
    clock: () => Number(hrtime.bigint()) / 1e6,
    spend: () => undefined,
  }
}

/** What the disk refuses to show is as if it were not there: a guess is better than no judgement. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}
