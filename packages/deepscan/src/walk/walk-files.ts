import { type Dirent, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { systemCode } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import { fail } from '../errors/fail.ts'
import { addRules, listFolder, rulesAbove, slashed } from './folder-rules.ts'
import { type IgnoreRules, isIgnored, noRules } from './ignore-rules.ts'
import type { SkipReason } from './skip-reason.ts'

/**
 * A file, or a folder that was not entered. `path` counts from the root of the repository, else from the working
 * folder, and ends in a slash for a folder; `below` counts from the path that was named. `isNamed`: it is a file that
 * was named itself, so whoever asked wants it, whatever its kind.
 */
export type WalkedFile = { absolute: string; path: string; below: string; skip: SkipReason | null; isNamed?: true }

/** The folder that relative paths start from, and the home folder, which is taken for no repository. */
export type Origin = { cwd: string; home: string | undefined }

/** `gitignore: false` looks into what git ignores, too; `.deepscanignore` files hold always. */
export type WalkOptions = Origin & { gitignore?: boolean }

/** Paths of files count from `root`, those of ignore files from `top`. */
type Place = { root: string; top: string; start: string; ignoreFiles: readonly string[] }

const toolFolders = new Set(['.git', 'node_modules', '.jwz', '.tissue', '.deepscan', '.worktrees'])

/**
 * All that lies below the given paths, by its path, each once, as it is found: memory does not grow with the tree. A
 * path that is named is taken in even when an ignore file of a folder above leaves it out; links below it are not
 * followed. Fails as DS-301 when a path does not exist, as DS-302 when it cannot be read.
 */
export function* walkFiles(paths: readonly string[], options: WalkOptions): Generator<WalkedFile> {
  const walks = paths.map((path) => walkBelow(path, options))
  const [only] = walks
  if (walks.length === 1 && only !== undefined) yield* only
  else yield* merged(walks)
}

/**
 * Where the paths of a scan count from: the top of the repository that a path is in, else the working folder where the
 * path lies below it, else the path.
 */
export function rootOfPath(path: string, origin: Origin): string {
  const start = resolvePath(resolve(origin.cwd, path), path)
  const folder = statSync(start).isDirectory() ? start : dirname(start)
  return findRepository(folder, origin.home)?.top ?? plainRoot(folder, origin)
}

/** Neither the root folder nor home is a project: what lies in them is one by itself. */
function plainRoot(folder: string, { cwd, home }: Origin): string {
  const here = realpathSync(cwd)
  const isProject = here !== home && dirname(here) !== here
  return isProject && (folder === here || folder.startsWith(here + sep)) ? here : folder
}

/** Several walks as one, by path. What one leaves out and another takes in is taken in. */
function* merged(walks: readonly Generator<WalkedFile>[]): Generator<WalkedFile> {
  const found = new Map<string, WalkedFile>()
  for (const walk of walks) {
    for (const file of walk) {
      const before = found.get(file.path)
      if (file.isNamed || before === undefined || before.skip !== null) found.set(file.path, file)
    }
  }
  yield* [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function* walkBelow(path: string, { cwd, home, gitignore = true }: WalkOptions): Generator<WalkedFile> {
  if (path === '') {
    const hint = 'leave it out to scan the working folder'
    throw fail('DS-001', { path: '""', reason: 'expected a file or a folder, got an empty path', hint })
  }
  const start = resolvePath(resolve(cwd, path), path)
  const stats = statSync(start)
  const isFolder = stats.isDirectory()
  const repository = findRepository(isFolder ? start : dirname(start), home)
  const root = repository?.top ?? plainRoot(isFolder ? start : dirname(start), { cwd, home })
  const ignoreFiles = gitignore ? ['.gitignore', '.deepscanignore'] : ['.deepscanignore']
  const place = { root, top: repository?.top ?? (isFolder ? start : dirname(start)), start, ignoreFiles }
  if (!isFolder) return yield { ...fileAt(start, place, stats.isFile() ? null : 'not a file'), isNamed: true }
  const entries = listFolder(start)
  if (entries === undefined) throw fail('DS-302', { path, reason: 'EACCES' })
  const rules =
    repository === undefined ? noRules : rulesAbove(start, repository.top, repository.commonDir, ignoreFiles)
  yield* walkEntries(start, entries, rules, place)
}

function* walkEntries(
  folder: string,
  entries: readonly Dirent[],
  above: IgnoreRules,
  place: Place,
): Generator<WalkedFile> {
  const here = slashed(relative(place.top, folder))
  const rules = addRules(
    above,
    folder,
    here,
    place.ignoreFiles.filter((name) => entries.some((e) => e.name === name)),
  )
  for (const { entry } of inOrder(entries)) {
    const absolute = join(folder, entry.name)
    const path = here === '' ? entry.name : `${here}/${entry.name}`
    const skip = skipReason(path, entry, rules)
    if (!entry.isDirectory()) yield fileAt(absolute, place, skip)
    else if (skip === undefined) yield* walkFolder(absolute, rules, place)
    else yield folderAt(absolute, place, skip)
  }
}

/** A folder stands where its files do: `a.ts` before `a/b`, as their paths sort. */
function inOrder(entries: readonly Dirent[]): { key: string; entry: Dirent }[] {
  return entries
    .map((entry) => ({ key: entry.isDirectory() ? `${entry.name}/` : entry.name, entry }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

/** Folders in each other; matching a path with patterns takes longer than its length allows to wait for. */
const foldersMax = 200

function* walkFolder(folder: string, rules: IgnoreRules, place: Place): Generator<WalkedFile> {
  if (pathFrom(place.top, folder).split('/').length > foldersMax)
    return yield folderAt(folder, place, 'nested too deeply')
  const entries = listFolder(folder)
  if (entries === undefined) yield folderAt(folder, place, 'unreadable')
  else if (entries.some(({ name }) => name === '.git')) yield folderAt(folder, place, 'nested repository')
  else yield* walkEntries(folder, entries, rules, place)
}

function skipReason(path: string, entry: Dirent, rules: IgnoreRules): SkipReason | undefined {
  const isFolder = entry.isDirectory()
  if ((isFolder && toolFolders.has(entry.name)) || entry.name === '.git') return 'tool folder'
  if (isIgnored(rules, isFolder ? `${path}/` : path)) return 'ignored'
  if (entry.isSymbolicLink()) return 'symlink'
  return isFolder || entry.isFile() ? undefined : 'not a file'
}

function fileAt(absolute: string, { root, start }: Place, skip: SkipReason | null | undefined): WalkedFile {
  const below = absolute === start ? (absolute.split(/[/\\]/).at(-1) ?? '') : pathFrom(start, absolute)
  return { absolute, path: pathFrom(root, absolute), below, skip: skip ?? null }
}

/** The path of what lies below a folder, from there. Most do, and need no more than a cut. */
function pathFrom(folder: string, absolute: string): string {
  const isBelow = sep === '/' && folder.length > 1 && absolute.startsWith(folder) && absolute[folder.length] === '/'
  return isBelow ? absolute.slice(folder.length + 1) : slashed(relative(folder, absolute))
}

function folderAt(absolute: string, place: Place, skip: SkipReason): WalkedFile {
  const file = fileAt(absolute, place, skip)
  return { ...file, path: `${file.path}/`, below: `${file.below}/` }
}

function resolvePath(absolute: string, named: string): string {
  try {
    return realpathSync(absolute)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') throw fail('DS-301', { path: named })
    if (code === 'EACCES' || code === 'ELOOP' || code === 'ENAMETOOLONG') {
      throw fail('DS-302', { path: named, reason: code })
    }
    throw error
  }
}
