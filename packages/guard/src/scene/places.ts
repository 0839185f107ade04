// What a path is to the guard: the root, somebody's home, the repository, a store, or just a file.
import { dirname, join, normalize } from 'node:path'
import { type Spend, tooMuch } from '../shell/budget.ts'
import { fitsPath, hasWildcard } from '../shell/glob.ts'
import { onceFor } from './once-for.ts'
import type { Scene } from './scene.ts'
import { isShielded, settingsOf, storesOf } from './shielded.ts'

export type PlaceKind =
  | 'system'
  | 'repository'
  | 'worktree'
  | 'git'
  | 'store'
  | 'settings'
  | 'inside'
  | 'temporary-root'
  | 'temporary'
  | 'outside'

const systemFolders = [
  '/',
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/home',
  '/lib',
  '/lib32',
  '/lib64',
  '/mnt',
  '/media',
  '/opt',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/srv',
  '/sys',
  '/usr',
  '/var',
  '/usr/bin',
  '/usr/include',
  '/usr/lib',
  '/usr/local',
  '/usr/local/bin',
  '/usr/local/lib',
  '/usr/sbin',
  '/usr/share',
  '/var/lib',
  '/var/log',
  '/var/cache',
  '/var/spool',
  '/var/www',
  '/Applications',
  '/Library',
  '/System',
  '/Users',
  '/Volumes',
  '/private',
  '/private/etc',
  '/private/var',
  '/Windows',
  '/Windows/System32',
  '/Program Files',
  '/Program Files (x86)',
  '/ProgramData',
]
const temporaryFolders = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/folders', '/var/folders', '/dev/shm']

/** More than any system opens. */
const pathMax = 8192

export const isBelow = (path: string, folder: string) =>
  path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder
const isAtOrAbove = (path: string, other: string) => path === other || isBelow(other, path)

const temporaryOf = ({ world }: Scene) =>
  world.env.TMPDIR ? [...temporaryFolders, normalize(world.env.TMPDIR).replace(/(.)\/$/, '$1')] : temporaryFolders

/** Whether a path with a slash at its end is a folder for temporary files: what follows names something in it. */
export function isTemporaryRoot(path: string, scene: Scene): boolean {
  return path.endsWith('/') && temporaryOf(scene).includes(path.slice(0, -1))
}

/** What lies at a path, which is absolute and known; `/*` at its end stands for the folder's whole content. */
export function placeOf(path: string, scene: Scene): PlaceKind {
  scene.world.spend(20)
  if (path.length > pathMax) throw tooMuch(`a path has more than ${pathMax} signs`)
  const whole = path.replace(/(?:\/+(?:\*+|\.\*|\.\[\^?!?\.\]\*|\.\?\?\*))+\/*$/, '/')
  const plain = cased(normalize(whole).replace(/(.)\/+$/, '$1'))
  const real = realOf(plain, scene)
  const first = kindOf(plain, scene)
  const second = real === plain ? first : kindOf(real, scene)
  return dangers.indexOf(first) < dangers.indexOf(second) ? first : second
}

/** With the names of what is protected as they are: some disks take `.GIT` for `.git`. */
export const cased = (path: string) =>
  path.replace(/\/(?:\.(?:git|jwz|tissue|scope|deepscan|claude|codex|gemini|opencode)|loop\.json)(?=\/|$)/gi, (name) =>
    name.toLowerCase(),
  )

/** From the most to the least dangerous to lose. */
const dangers: readonly PlaceKind[] = [
  'system',
  'repository',
  'worktree',
  'git',
  'store',
  'settings',
  'outside',
  'temporary-root',
  'temporary',
  'inside',
]

/** Where a path leads when its folders are links: the last word itself is what is removed. */
export function realOf(path: string, { world }: Scene): string {
  let folder = dirname(path)
  let rest = path.slice(folder === '/' ? 1 : folder.length + 1)
  for (;;) {
    const real = world.realPath(folder)
    if (real !== undefined) return join(real, rest)
    if (dirname(folder) === folder) return path
    rest = join(folder.slice(dirname(folder).length).replace(/^\//, ''), rest)
    folder = dirname(folder)
  }
}

function kindOf(path: string, scene: Scene): PlaceKind {
  const { world, repository, root } = scene
  const matches = matcherOf(path, world.spend)
  if (systemFolders.some(matches) || matches(world.home) || isAtOrAbove(path, world.home)) return 'system'
  if (repository !== undefined && root !== undefined) {
    const { commonDir, gitDir, top } = repository
    if (
      isBelow(path, commonDir) ||
      matches(commonDir) ||
      isBelow(path, gitDir) ||
      matches(gitDir) ||
      matches(join(top, '.git'))
    )
      return 'git'
    if (isAtOrAbove(path, top) || isAtOrAbove(path, root) || matches(top) || matches(root)) return 'repository'
    if (worktreesOf(scene).some((other) => isAtOrAbove(path, other) || matches(other))) return 'worktree'
    if (storesOf(scene).some((store) => matches(store) || isBelow(path, store))) return 'store'
  }
  if (isShielded(path, settingsOf(scene)) || settingsOf(scene).some(matches)) return 'settings'
  const temporary = temporaryOf(scene)
  if (repository !== undefined && (isBelow(path, repository.top) || isBelow(path, root ?? repository.top)))
    return 'inside'
  if (temporary.some(matches)) return 'temporary-root'
  if (temporary.some((folder) => isBelow(path, folder))) return 'temporary'
  if (repository === undefined && isBelow(path, scene.cwd) && !systemFolders.includes(scene.cwd)) return 'inside'
  return 'outside'
}

/** Whether a path with wildcards in it may be that other path. */
function matcherOf(path: string, spend: Spend): (other: string) => boolean {
  return hasWildcard(path) ? (other) => fitsPath(other, path, spend) : (other) => other === path
}

/** The other worktrees of the repository, as git's own folder lists them. */
const worktreesOf = onceFor(({ world, repository, root }: Scene): readonly string[] => {
  if (repository === undefined || root === undefined) return []
  const folder = join(repository.commonDir, 'worktrees')
  const listed = world.namesIn(folder).flatMap((name) => {
    const pointer = world.read(join(folder, name, 'gitdir'))?.trim()
    return pointer === undefined ? [] : [dirname(pointer)]
  })
  return [join(root, '.worktrees', 'loop'), ...listed].filter(
    (path) => path !== repository.top && !isBelow(repository.top, path),
  )
})
