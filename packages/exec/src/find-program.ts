import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { systemCode } from '@switchyard/ground/failure'

/** The file that would run for `name` (a path, or a name looked up on `env.PATH`), or undefined when there is none. */
export function findProgram(
  name: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): string | undefined {
  if (name.includes('/')) return isExecutable(resolve(cwd, name)) ? resolve(cwd, name) : undefined
  const folders = (env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => resolve(cwd, folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (systemCode(error) !== undefined) return false
    throw error
  }
}
