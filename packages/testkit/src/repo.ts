import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from './folder.ts'
import { cleanEnv } from './run.ts'

/** Runs git and returns its stdout without the last line break; throws with git's own words when it fails. */
export function git(cwd: string, ...args: string[]): string {
  const result = spawnSync('git', args, { cwd, encoding: 'utf8', env: cleanEnv(), maxBuffer: 64 * 1024 * 1024 })
  if (result.status !== 0) throw new Error(`git ${args.join(' ')} in ${cwd}: ${result.stderr}${result.stdout}`)
  return result.stdout.replace(/\n$/, '')
}

const made = new Map<string, string>()

/** A real repository on branch `main` with one commit that holds `files` (path to text). */
export function tempRepo(files: Record<string, string> = { 'README.md': 'A repository.\n' }): string {
  const key = JSON.stringify(files)
  const last = made.get(key)
  const known = last !== undefined && existsSync(last) ? last : makeRepo(files)
  made.set(key, known)
  // A copy costs a tenth of what git's processes cost, and tests ask for the same repository again and again.
  const root = tempFolder('repo')
  cpSync(known, root, { recursive: true, preserveTimestamps: true })
  return root
}

function makeRepo(files: Record<string, string>): string {
  const root = tempFolder('repo')
  git(root, 'init', '--quiet', '--initial-branch=main')
  git(root, 'config', 'user.name', 'Tester')
  git(root, 'config', 'user.email', 'tester@example.invalid')
  git(root, 'config', 'commit.gpgsign', 'false')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'Start')
  return root
}
