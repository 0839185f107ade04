import { isUtf8 } from 'node:buffer'
import { realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import { fail } from '../errors/fail.ts'
import { slashed } from './folder-rules.ts'
import type { SkipReason } from './skip-reason.ts'
import type { WalkedFile } from './walk-files.ts'

/** The paths of a list: a line each, or separated by NUL where there is one. Fails as DS-103 when it is not UTF-8. */
export function parsePathList(bytes: Buffer, name: string): string[] {
  if (!isUtf8(bytes)) throw fail('DS-103', { path: name })
  const text = bytes.toString('utf8')
  const paths = text.includes('\0') ? text.split('\0') : text.split('\n').map((line) => line.replace(/\r$/, ''))
  return paths.filter((path) => path !== '')
}

/**
 * The files of a list, sorted, each once: taken in also when they are ignored. Fails as DS-001 for one that lies
 * outside of `root`.
 */
export function listedFiles(paths: readonly string[], cwd: string, root: string): WalkedFile[] {
  const files = new Map<string, WalkedFile>()
  for (const named of paths) {
    const absolute = resolveParent(resolve(cwd, named))
    const path = slashed(relative(root, absolute))
    if (path === '' || path === '..' || path.startsWith('../')) {
      throw fail('DS-001', { path: named, reason: `it is not below ${root}` })
    }
    files.set(path, { absolute, path, below: path, skip: reasonOf(absolute) })
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** No folder of the path is a link afterwards, so that what looks to be below the root is. */
function resolveParent(absolute: string): string {
  try {
    return join(realpathSync(dirname(absolute)), absolute.slice(dirname(absolute).length))
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return absolute
  }
}

function reasonOf(absolute: string): SkipReason | null {
  try {
    const stats = lstatAt(absolute)
    if (stats === undefined) return 'vanished'
    if (stats.isSymbolicLink()) return 'symlink'
    return stats.isFile() ? null : 'not a file'
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return 'unreadable'
  }
}
