// Files that git ignores and a worktree needs, such as .env: copied from the main tree as settings ask for.
import { constants, copyFileSync, mkdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { lstatAt, statAt } from './at-path.ts'
import { orRefused } from './disk.ts'
import { Failure } from './failure.ts'
import { stores } from './store-paths.ts'

/** A working tree, and how git is asked there: for its stdout, which `run` gives where git does not fail. */
export type AskedTree = {
  readonly path: string
  readonly run: (args: readonly string[]) => Promise<string>
  readonly try: (args: readonly string[], input: string) => Promise<string>
}

/** What was copied, and what was asked for and not, with the reason; paths from the top. */
export type Copied = { copied: string[]; left: { path: string; why: string }[] }

const never = ['.worktrees', ...stores]

/**
 * Copies what the patterns name in `from` and git ignores there, with modes. A file stays behind when git does not
 * ignore it in `to`, so that it never becomes part of a commit, when something is there already, and when it is a link
 * or lies below one that leads out.
 */
export async function copyIgnored({
  from,
  to,
  patterns,
}: {
  from: AskedTree
  to: AskedTree
  patterns: readonly string[]
}): Promise<Copied> {
  const copied: string[] = []
  const left: Copied['left'] = []
  for (const pattern of patterns) {
    const found = await ignoredIn(from, pattern)
    if (found.length === 0) left.push({ path: pattern, why: 'names nothing that git ignores in the main tree' })
    const safe = await stillIgnored(to, found)
    for (const path of found) {
      if (copied.includes(path)) continue
      const why = safe.has(path) ? copyOne(from.path, to.path, path) : 'is not ignored there'
      if (why === undefined) copied.push(path)
      else left.push({ path, why })
    }
  }
  return { copied, left }
}

async function ignoredIn(tree: AskedTree, pattern: string): Promise<string[]> {
  if (isAbsolute(pattern) || pattern.split(/[/\\]/).includes('..')) {
    throw new Failure('usage', `expected worktree.copy to name files below the top, got ${pattern}`)
  }
  const exclude = never.map((folder) => `:(exclude,top)${folder}`)
  const asked = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--']
  const listed = await tree.run([...asked, `:(top,glob)${pattern}`, ...exclude])
  return listed.split('\0').filter((path) => path !== '' && !path.endsWith('/'))
}

/** Which of the paths git ignores in this tree, where they may be tracked. */
async function stillIgnored(tree: AskedTree, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const ignored = await tree.try(['check-ignore', '-z', '--stdin'], `${paths.join('\0')}\0`)
  return new Set(ignored.split('\0'))
}

/** Why it was not copied; undefined when it was. */
function copyOne(from: string, to: string, path: string): string | undefined {
  const source = join(from, path)
  const target = join(to, path)
  const stats = lstatAt(source)
  if (stats === undefined) return 'is gone'
  if (lstatAt(target) !== undefined) return 'is there already'
  const above = deepestThere(dirname(target))
  if (!statAt(above)?.isDirectory()) return 'lies below what is no folder there'
  if (!isInside(realpathSync(above), realpathSync(to))) return 'lies below a link that leads out'
  return orRefused(`${target} was to be copied`, () => {
    mkdirSync(dirname(target), { recursive: true })
    if (stats.isSymbolicLink()) return copyLink(from, source, target)
    if (!stats.isFile()) return 'is no file'
    copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    return undefined
  })
}

/** A link is made again when it is relative and stays inside the tree. */
function copyLink(from: string, source: string, target: string): string | undefined {
  const leads = readlinkSync(source)
  if (isAbsolute(leads) || !isInside(resolve(dirname(source), leads), from)) return 'is a link that leads out'
  symlinkSync(leads, target)
  return undefined
}

function deepestThere(folder: string): string {
  return lstatAt(folder) === undefined ? deepestThere(dirname(folder)) : folder
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}
