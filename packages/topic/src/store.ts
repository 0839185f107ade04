import {
  fileIn,
  folderIn,
  lstatIfThere,
  makeFolder,
  orRefused,
  realPathIfThere,
  refuseLink,
  statIfThere,
} from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { dirname, existsSync, join, pid, resolve } from '@switchyard/ground/machine'
import { findRepository, type Repository, rootOf } from '@switchyard/ground/repository'
import { isOurs, isSafe, notOurs } from '@switchyard/ground/safe-directory'
import { writeWhole } from '@switchyard/ground/whole-file'
import { topicFile } from './topic-name.ts'

/**
 * A store on disk: its folder, the root that it lies in, why this one was chosen, and the repository of the current
 * folder, if any.
 */
export type Store = { path: string; root: string; reason: string; repository: Repository | undefined }

export type LocateOptions = {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** The store's folder name, such as `.jwz`. */
  name: string
  /** The environment variable that overrides the search, such as `JWZ_STORE`. */
  variable: string
  /** What `--store` said. */
  override?: string | undefined
}

function nearestStore(cwd: string, home: string | undefined, name: string): string | undefined {
  for (let folder = cwd; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    const stats = statIfThere(join(folder, name))
    if (stats?.isDirectory() && isOurs(stats)) return folder
  }
  return undefined
}

/** Fails where something else is in the place of a store: to readers it would look like one without anything in it. */
function requireRoom({ path }: Store, { variable }: LocateOptions): void {
  const taken = blockerOf(path)
  if (taken === undefined) return
  throw new Failure('failed', `expected a folder for the store at ${path}, ${taken}`, {
    hint: `move that away, or name another place with --store or ${variable}`,
  })
}

/** What keeps a folder from being at a path, in words. */
function blockerOf(path: string): string | undefined {
  // The link first: looked at the other way round, a folder that another makes meanwhile would be taken for one.
  const entry = lstatIfThere(path)
  const stats = entry?.isSymbolicLink() ? statIfThere(path) : entry
  if (stats?.isDirectory()) return undefined
  if (entry !== undefined) return `${path} is ${stats === undefined ? 'a link that leads nowhere' : 'no folder'}`
  return dirname(path) === path ? undefined : blockerOf(dirname(path))
}

/**
 * Which store a command means: `--store`, else the variable, else the one of the repository around the current folder
 * (the same for its main tree, subfolders and all its worktrees), else the nearest existing one above, else the current
 * folder. It need not exist yet; fails where something that is no folder is in its place, and where the repository is
 * another user's and git is not told to trust it. Only one that somebody named
 * may be a link; any other fails as `conflict`, since it may have come with the repository.
 */
export function locateStore(options: LocateOptions): Store {
  const store = findStore(options)
  requireRoom(store, options)
  return store
}

function findStore({ cwd, env, name, variable, override }: LocateOptions): Store {
  const here = realPathIfThere(cwd)
  if (here === undefined)
    throw new Failure('failed', `the current folder ${cwd} was to be found, it may not be entered`)
  const home = realPathIfThere(env['HOME'] ?? '')
  const named = override ?? env[variable]
  if (named === '')
    throw new Failure('usage', `${override === '' ? '--store' : variable} names no folder`, { hint: 'give a path' })
  if (named !== undefined) {
    const path = resolve(here, named)
    const repository = findRepository(here, home, (folder, stats) => isOurs(stats) || isSafe(folder, env))
    return { path, root: dirname(path), reason: override === undefined ? variable : '--store', repository }
  }
  const repository = findRepository(here, home, (folder, stats) => {
    if (isOurs(stats) || isSafe(folder, env)) return true
    throw notOurs(folder, stats)
  })
  if (repository) {
    const root = rootOf(repository.commonDir)
    refuseLink(join(root, name))
    return { path: join(root, name), root, reason: 'the repository around the current folder', repository }
  }
  const above = nearestStore(here, home, name)
  const root = above ?? here
  refuseLink(join(root, name))
  const reason = above ? 'the nearest store above the current folder' : 'the current folder, outside any repository'
  return { path: join(root, name), root, reason, repository }
}

/** Where the topics of a bus lie. Fails as `conflict` where a link is. */
export function topicsFolder(store: Store): string {
  return folderIn(store, 'topics')
}

/** Whether the bus has been made. Fails where something that is no folder has the place of its topics. */
export const busExists = (store: Store): boolean => isMade(store, 'topics')

/** Makes the bus where there is none. */
export const createBus = (store: Store): void => createHidden(store, 'topics')

/**
 * Whether a store has been made whose innermost folder is `inside`. Fails where something that is no folder has its
 * place.
 */
export function isMade(store: Store, inside: string): boolean {
  const folder = folderIn(store, inside)
  const stats = statIfThere(folder)
  if (stats === undefined || stats.isDirectory()) return stats !== undefined
  throw new Failure('failed', `expected a folder at ${folder}, it is none`, { hint: 'move it away' })
}

/**
 * Makes a store that git does not see, where there is none. The folder `inside` comes last: where it is, the
 * `.gitignore` that hides the store is too, also when an earlier maker was killed half-way. A `.gitignore` that is
 * there already is left as it is.
 */
export function createHidden(store: Store, inside: string): void {
  if (isMade(store, inside)) return
  orRefused(`the store ${store.path} was to be made`, () => {
    makeFolder(store.path)
    const ignore = join(store.path, '.gitignore')
    if (!existsSync(ignore)) writeWhole(ignore, `${ignore}.${pid}.draft`, '*\n')
    makeFolder(folderIn(store, inside))
  })
}

/** Where a topic's active file lies. Fails as bad input on a name that is no topic, as `conflict` where a link leads there. */
export function topicPath(store: Store, topic: string): string {
  return fileIn(store, `topics/${topicFile(topic)}`)
}
