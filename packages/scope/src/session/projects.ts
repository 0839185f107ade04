// The projects of this user in which sessions were started, noted in a folder that only the user can write: so that one
// look shows them all. A note is a hint: a project counts while its store is there, and is the user's own.
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { lstatIfThere, readStored } from '@switchyard/ground/disk'
import { isOurs } from '@switchyard/ground/safe-directory'
import { closedFolder, type Env, orNothing, stateFolders } from '@switchyard/ground/state-folder'
import { appendLine, parseRecord, readLines } from '@switchyard/jsonl'
import { isMade, type Store } from '@switchyard/topic'

const projectsMax = 1000

/** Notes where sessions are started. What the disk refuses is not noted. */
export function noteProject({ path }: Pick<Store, 'path'>, env: Env): void {
  const file = placeOf(env)
  if (file === undefined) return
  const line = JSON.stringify({ v: 1, store: path })
  orNothing(() => {
    if (!(readStored(file) ?? '').split('\n').includes(line)) appendLine(file, line, { durable: false })
  })
}

/** The stores that were noted and are there, in the order of their notes, without the one that is given. */
export function otherProjects({ path: own }: Pick<Store, 'path'>, env: Env): Store[] {
  const file = placeOf(env)
  const paths = new Set<string>()
  for (const line of file === undefined ? [] : readLines(file)) {
    const path = parseRecord(line)?.['store']
    if (typeof path === 'string' && path !== own) paths.add(path)
  }
  return [...paths].flatMap((path) => orNothing(() => storeAt(path)) ?? []).slice(0, projectsMax)
}

/** The folder of a project: the one that its store lies in; of a store with another name, that itself. */
export const projectOf = ({ path }: Pick<Store, 'path'>): string => (basename(path) === '.scope' ? dirname(path) : path)

/** A folder of this user that no link leads to, with sessions in it. */
function storeAt(path: string): Store | undefined {
  const stats = isAbsolute(path) ? lstatIfThere(path) : undefined
  if (!stats?.isDirectory() || !isOurs(stats) || realpathSync(path) !== path) return undefined
  const store = { path, root: dirname(path), reason: 'a project of yours', repository: undefined }
  return isMade(store, 'sessions') ? store : undefined
}

function placeOf(env: Env): string | undefined {
  for (const candidate of stateFolders(env)) {
    const folder = closedFolder(candidate, env)
    if (folder !== undefined) return join(folder, 'scope-projects.jsonl')
  }
  return undefined
}
