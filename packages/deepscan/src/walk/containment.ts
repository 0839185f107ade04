import { lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { Failure, systemCode } from '@switchyard/ground/failure'

/**
 * The file below `top` that a finding names. A path from outside never leads out of `top`, through a link or into
 * git's own folder:
 * exits 2 when it would, 3 when there is no such file.
 */
export function containedFile(top: string, path: string): string {
  const parts = path.split('/')
  const isBad = isAbsolute(path) || path.includes('\0') || parts.some((part) => ['', '.', '..'].includes(part))
  if (isBad || parts.some((part) => part.toLowerCase() === '.git')) throw escapes(path)
  const absolute = join(top, ...parts)
  const real = realPathOf(absolute)
  if (real === undefined) throw new Failure('notFound', `there is no ${path} here to mend`)
  if (real !== join(realpathSync(top), ...parts)) throw escapes(path)
  if (!lstatSync(real).isFile()) throw new Failure('notFound', `${path} is not a file`)
  return real
}

function escapes(path: string): Failure {
  return new Failure('usage', `expected the path of a file inside the repository, got ${JSON.stringify(path)}`, {
    hint: 'paths are relative to the top of the repository and go through no link',
  })
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}
