import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import { findLanguage, type RuledLanguage } from '../syntax/language.ts'
import { addIgnoreFile, type IgnoreRules, isIgnored, noRules } from './ignore-rules.ts'

/** Why something below a scanned path was not looked at. */
export type SkipReason =
  | 'ignored'
  | 'tool folder'
  | 'nested repository'
  | 'symlink'
  | 'not a file'
  | 'no rules for its kind'
  | 'too large'
  | 'binary'
  | 'nested too deeply'
  | 'unreadable'
  | 'vanished'

/** A file to scan: where it is, and the path that its findings carry. */
export type FoundFile = { absolute: string; path: string; language: RuledLanguage }

const toolFolders = ['.git', 'node_modules', '.jwz', '.tissue', '.deepscan', '.worktrees']
const ignoreFiles = ['.gitignore', '.deepscanignore']
const ignoreBytesMax = 1_000_000

/** The folder that relative paths start from, and the home folder, which is taken for no repository. */
export type Origin = { cwd: string; home: string | undefined }

/** Paths of findings count from `root`, those of ignore files from `top`. */
type WalkSettings = {
  root: string
  top: string
  rules: IgnoreRules
  skip: (reason: SkipReason) => void
}

/**
 * The source files below the given paths, in the order of their paths, each once. What a path names is scanned even
 * when an ignore
 * file of a folder above leaves it out; links below it are not followed. Exits 3 when a path does not exist, 2 when
 * it cannot be read.
 */
export function findFiles(
  paths: readonly string[],
  from: Origin,
  skip: (reason: SkipReason) => void,
): readonly FoundFile[] {
  const found = new Map<string, FoundFile>()
  for (const path of paths) {
    for (const file of findBelow(path, from, skip)) found.set(file.absolute, file)
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function findBelow(path: string, { cwd, home }: Origin, skip: (reason: SkipReason) => void): readonly FoundFile[] {
  if (path === '') {
    const hint = 'leave it out to scan the working folder'
    throw new Failure('usage', 'expected a file or a folder, got an empty path', { hint })
  }
  const start = resolvePath(resolve(cwd, path), path)
  const isFolder = statSync(start).isDirectory()
  const repository = findRepository(isFolder ? start : dirname(start), home)
  const root = repository?.top ?? realpathSync(cwd)
  const top = repository?.top ?? start
  if (!isFolder) return describeFile(start, { root, top, rules: noRules, skip })
  const entries = listFolder(start)
  if (entries === undefined) throw unreadable(path, 'EACCES')
  const rules = repository === undefined ? noRules : rulesAbove(start, repository.top, repository.commonDir)
  return walkEntries(start, entries, { root, top, rules, skip })
}

function resolvePath(absolute: string, named: string): string {
  try {
    return realpathSync(absolute)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new Failure('notFound', `no file or folder at ${named}`, { hint: 'name a path that exists' })
    }
    if (code === 'EACCES' || code === 'ELOOP' || code === 'ENAMETOOLONG') throw unreadable(named, code)
    throw error
  }
}

function unreadable(named: string, code: string): Failure {
  return new Failure('usage', `${named} cannot be read (${code})`, { hint: 'name a path that you may read' })
}

/**
 * The ignore files that hold for a folder, from the top of its repository down to its parent; none when they leave
 * the folder out.
 */
function rulesAbove(start: string, top: string, commonDir: string): IgnoreRules {
  let rules = readRules(noRules, commonDir, '', [join('info', 'exclude')])
  const parts = slashed(relative(top, start)).split('/').filter(Boolean)
  for (const depth of parts.keys()) {
    const folder = parts.slice(0, depth).join('/')
    rules = readRules(rules, join(top, folder), folder, ignoreFiles)
    if (isIgnored(rules, `${parts.slice(0, depth + 1).join('/')}/`)) return noRules
  }
  return rules
}

function walkEntries(folder: string, entries: readonly Dirent[], place: WalkSettings): readonly FoundFile[] {
  const here = slashed(relative(place.top, folder))
  const rules = readRules(place.rules, folder, here, ignoreFiles)
  return entries.flatMap((entry) => walkEntry(join(folder, entry.name), entry, { ...place, rules }))
}

function walkEntry(absolute: string, entry: Dirent, place: WalkSettings): readonly FoundFile[] {
  const isFolder = entry.isDirectory()
  const reason = skipReason(absolute, entry, place)
  if (reason !== undefined) {
    place.skip(reason)
    return []
  }
  return isFolder ? walkBelow(absolute, place) : describeFile(absolute, place)
}

function walkBelow(folder: string, place: WalkSettings): readonly FoundFile[] {
  const entries = listFolder(folder)
  if (entries !== undefined && !entries.some(({ name }) => name === '.git')) return walkEntries(folder, entries, place)
  place.skip(entries === undefined ? 'unreadable' : 'nested repository')
  return []
}

function skipReason(absolute: string, entry: Dirent, place: WalkSettings): SkipReason | undefined {
  const isFolder = entry.isDirectory()
  if (isFolder && toolFolders.includes(entry.name)) return 'tool folder'
  if (isIgnored(place.rules, slashed(relative(place.top, absolute)) + (isFolder ? '/' : ''))) return 'ignored'
  if (entry.isSymbolicLink()) return 'symlink'
  return isFolder || entry.isFile() ? undefined : 'not a file'
}

function describeFile(absolute: string, place: WalkSettings): readonly FoundFile[] {
  const language = findLanguage(absolute)
  if (language !== undefined) return [{ absolute, path: slashed(relative(place.root, absolute)), language }]
  place.skip('no rules for its kind')
  return []
}

function readRules(rules: IgnoreRules, folder: string, from: string, names: readonly string[]): IgnoreRules {
  return names.reduce((known, name) => {
    const path = join(folder, name)
    const text = readIgnoreFile(path)
    return text === undefined ? known : addIgnoreFile(known, from, text)
  }, rules)
}

/** The text of an ignore file; undefined when there is none that may be read. */
function readIgnoreFile(path: string): string | undefined {
  try {
    const stats = lstatAt(path)
    return stats?.isFile() && stats.size <= ignoreBytesMax ? readFileSync(path, 'utf8') : undefined
  } catch (error) {
    if (systemCode(error) === 'EACCES' || systemCode(error) === 'EPERM') return undefined
    throw error
  }
}

function listFolder(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') return undefined
    throw error
  }
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
