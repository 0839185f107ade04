import { realpathSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { Failure, systemCode } from '@switchyard/ground/failure'

/** A file or folder inside the root: where it is, and its path from there, with slashes; `''` for the root. */
export type Inside = { absolute: string; path: string; isFolder: boolean }

/**
 * The file or folder that a path names, from the working folder or else from the root. What lies outside of the root,
 * behind a link or in git's own folder is refused before anything is asked about it: exits 2; 3 where there is none.
 */
export function insideRoot(root: string, cwd: string, named: string): Inside {
  const top = realpathSync(root)
  const fromHere = placeBelow(top, resolve(realpathSync(cwd), named))
  const places = [fromHere, placeBelow(top, resolve(top, named))].filter((place) => place !== undefined)
  if (named === '' || named.includes('\0') || places.length === 0) throw outside(named, root)
  for (const path of places) {
    const found = find(top, path, named, root)
    if (found !== undefined) return found
  }
  throw new Failure('notFound', `there is no ${named} in ${root}`, { hint: 'deepscan tree shows the files' })
}

function placeBelow(top: string, absolute: string): string | undefined {
  const path = relative(top, absolute)
  return path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path ? undefined : path
}

/** Looks at each folder on the way, so that no link is ever followed. */
function find(top: string, path: string, named: string, root: string): Inside | undefined {
  const parts = path === '' ? [] : path.split(sep)
  let isFolder = true
  for (const at of parts.keys()) {
    if (parts[at]?.toLowerCase() === '.git') throw outside(named, root)
    const stats = statsAt(join(top, ...parts.slice(0, at + 1)))
    if (stats === undefined) return undefined
    if (stats.isSymbolicLink()) throw outside(named, root)
    isFolder = stats.isDirectory()
  }
  return { absolute: join(top, path), path: parts.join('/'), isFolder }
}

function statsAt(path: string) {
  try {
    return lstatAt(path)
  } catch (error) {
    if (['ENAMETOOLONG', 'EACCES', 'ELOOP'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}

function outside(named: string, root: string): Failure {
  return new Failure('usage', `expected a path inside ${root}, got ${JSON.stringify(named)}`, {
    hint: "links and git's own folder are not followed",
  })
}
