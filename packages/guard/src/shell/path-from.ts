import { normalize } from 'node:path'
import { hole } from './command.ts'

/** A path as it is seen from `cwd`. */
export function pathFrom(cwd: string, path: string): string {
  if (path.startsWith('/') || path.startsWith(hole)) return path
  return path.includes(hole) ? `${cwd}/${path}` : normalize(`${cwd}/${path}`)
}
