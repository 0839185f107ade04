import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A tracked file as the rules see it. `package` is the folder's name below `packages`, if it lies there. */
export type Source = { path: string; package: string | undefined; text: string }

/** What is wrong, where, and what to do instead. */
export type Complaint = string

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file by its path and text; tests of the rules make their own. */
export function source(path: string, text: string): Source {
  return { path, package: /^packages\/([^/]+)\//.exec(path)?.[1], text }
}

/** Every file that git tracks or would track, without the lock file. */
export function readSources(): Source[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = listed.split('\0').filter((path) => path !== '' && path !== 'package-lock.json')
  return paths.map((path) => source(path, readFileSync(join(root, path), 'utf8')))
}

export function isProduct({ path }: Source): boolean {
  return /^packages\/[^/]+\/src\/.*\.ts$/.test(path)
}

export function isCode({ path }: Source): boolean {
  return /\.(ts|mjs|cjs)$/.test(path)
}
