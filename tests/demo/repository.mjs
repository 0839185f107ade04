// The repository the demo works on: the sample, or a clone of the one it is given, in a temporary folder. The original is never touched.
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const sample = fileURLToPath(new URL('sample', import.meta.url))

function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}

function isRepository(path) {
  return existsSync(join(path, '.git')) || existsSync(join(path, 'HEAD'))
}

function copyAsRepository(from, to) {
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
  git(to, 'init', '--quiet', '--initial-branch=main')
  git(to, 'add', '--all')
  commit(to, 'Start')
}

function commit(cwd, message) {
  git(cwd, '-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid', 'commit', '--quiet', '--message', message)
}

function installDependencies(path) {
  const { dependencies = {}, devDependencies = {} } = readManifest(path)
  if (Object.keys({ ...dependencies, ...devDependencies }).length === 0) return
  appendFileSync(join(path, '.git/info/exclude'), 'node_modules\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--no-package-lock'], {
    cwd: path,
    stdio: ['ignore', 2, 2],
  })
}

export function readManifest(path) {
  const file = join(path, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Makes the repository and returns its path. `given` is a repository or a plain folder; without it, the sample is used. */
export function makeRepository(given) {
  const path = join(
    realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-demo-'))),
    given ? basename(resolve(given)) : 'tally',
  )
  if (!given) copyAsRepository(sample, path)
  else if (isRepository(given)) git(process.cwd(), 'clone', '--quiet', '--no-hardlinks', resolve(given), path)
  else copyAsRepository(given, path)
  if (given) installDependencies(path)
  return path
}
