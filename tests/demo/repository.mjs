// The repository the demo works on: the sample, or a clone of the one it is given, in a temporary folder. The original is never touched.
import { appendFileSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './processes.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sample = fileURLToPath(new URL('sample', import.meta.url))
const tools = ['jwz', 'tissue', 'deepscan', 'loop']
const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid', '-c', 'commit.gpgSign=false']

/** What the demo cannot go on with: one line for people, and the exit code. */
export class Stop extends Error {
  constructor(message, code) {
    super(message)
    this.code = code
  }
}

async function git(cwd, ...args) {
  const { code, stdout, stderr } = await run('git', args, { cwd })
  if (code !== 0) throw new Stop(`git ${args.at(0)} failed: ${stderr.trim() || `exit ${code}`}`, 1)
  return stdout.trim()
}

function isRepository(path) {
  return existsSync(join(path, '.git')) || (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')))
}

async function cloneTo(from, to) {
  const head = await run('git', ['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], { cwd: from })
  if (head.code !== 0) throw new Stop(`expected a repository with a commit, ${from} has none`, 2)
  await git(from, 'clone', '--quiet', '--no-hardlinks', '--', from, to)
  // Nothing that runs here may push to the original; and a landing needs a branch.
  await git(to, 'remote', 'remove', 'origin')
  const branch = await run('git', ['symbolic-ref', '--quiet', 'HEAD'], { cwd: to })
  if (branch.code !== 0) await git(to, 'switch', '--quiet', '--create', 'main')
}

/** Links are copied as they are: resolved, they would lead back into the original. */
async function copyTo(from, to) {
  const isWanted = (path) => {
    const stats = lstatSync(path)
    const isCopied = stats.isFile() || stats.isDirectory() || stats.isSymbolicLink()
    return isCopied && relative(from, path) !== 'node_modules'
  }
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isWanted })
  await git(to, 'init', '--quiet', '--initial-branch=main')
  await git(to, 'add', '--all')
  await git(to, ...author, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message', 'Start')
}

/** Says on `say` what npm did; install scripts that fail are left out, since old ones build what no test needs. */
export async function installDependencies(path, say) {
  const { dependencies = {}, devDependencies = {} } = readManifest(path)
  if (Object.keys({ ...dependencies, ...devDependencies }).length === 0) return
  appendFileSync(join(path, '.git/info/exclude'), '/node_modules\n')
  const how = existsSync(join(path, 'package-lock.json')) ? ['ci'] : ['install', '--no-save', '--no-package-lock']
  const command = [...how, '--no-audit', '--no-fund', '--loglevel=error']
  for (const args of [command, [...command, '--ignore-scripts']]) {
    say(`npm ${args.join(' ')}`)
    const { code, stdout, stderr } = await run('npm', args, { cwd: path })
    if (code === 0) return say(`  ${stdout.trim().split('\n').at(-1)}`)
    say(stderr.trim().split('\n').slice(-5).join('\n'))
  }
  throw new Stop('the dependencies cannot be installed, so nothing was tried', 1)
}

/** The package.json of a folder; empty when there is none. */
export function readManifest(path) {
  const file = join(path, 'package.json')
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new Stop(`expected JSON in package.json: ${error.message}`, 2)
    throw error
  }
}

/** Exits 2 for a path that is no folder. */
export function assertFolder(path) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  throw new Stop(`expected the folder of a repository or a package, there is none at ${path}`, 2)
}

/** Makes the repository at `path`. `given` is a repository or a plain folder; without it, the sample is used. */
export function makeRepository(path, given) {
  if (given === undefined) return copyTo(sample, path)
  return isRepository(given) ? cloneTo(given, path) : copyTo(given, path)
}

/** A folder with the four tools and nothing else, so that no other program of this checkout stands before the repository's own. */
export function linkTools(folder) {
  mkdirSync(folder)
  for (const tool of tools) symlinkSync(join(root, `packages/${tool}/bin/${tool}.cjs`), join(folder, tool))
  return folder
}

/** Runs `task` in a fresh worktree of the repository, as every change will be verified, and takes the worktree away. */
export async function inWorktree(repository, task) {
  const worktree = join(repository, '.worktrees', 'before')
  await git(repository, 'worktree', 'add', '--quiet', '--detach', worktree)
  const result = await task(worktree)
  await git(repository, 'worktree', 'remove', '--force', worktree)
  return result
}
