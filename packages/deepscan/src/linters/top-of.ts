import { realpathSync } from 'node:fs'
import { findRepository } from '@switchyard/ground/repository'

/** The top of the repository that a path is in, or else the path itself. */
export function topOf(path: string, env: Readonly<Record<string, string | undefined>>): string {
  const real = realpathSync(path)
  return findRepository(real, env['HOME'])?.top ?? real
}
