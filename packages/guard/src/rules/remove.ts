// Removals: rm and what does the same.
import { normalize } from 'node:path'
import { isBelow, isTemporaryRoot, type PlaceKind, placeOf } from '../scene/places.ts'
import type { Scene } from '../scene/scene.ts'
import { type Command, hole, isKnown, nameOf } from '../shell/command.ts'
import { readOptions } from '../shell/options.ts'
import { pathFrom } from '../shell/path-from.ts'
import type { RuleId } from '../verdict/rule-table.ts'
import { found, foundAny, type Judge } from './judge.ts'

/** What is lost when something is removed there with all that is in it. */
const byPlace: Readonly<Record<PlaceKind, RuleId | undefined>> = {
  system: 'rm.root',
  repository: 'rm.repository',
  worktree: 'rm.worktree',
  git: 'rm.git',
  store: 'rm.store',
  settings: 'rm.settings',
  outside: 'rm.outside',
  'temporary-root': 'rm.outside',
  temporary: undefined,
  inside: undefined,
}

const rmLong = [
  'recursive',
  'force',
  'interactive',
  'verbose',
  'dir',
  'one-file-system',
  'no-preserve-root',
  'preserve-root',
]

/** rm, rimraf, trash, unlink, shred. */
export const judgeRemove: Judge = (command, scene) => {
  const [word = '', ...args] = command.argv
  const { flags, operands } = readOptions(args, { long: rmLong })
  const isRecursive =
    ['r', 'R', 'recursive'].some((flag) => flags.has(flag)) || /^(rimraf|trash|del-cli)$/.test(nameOf(word))
  return foundAny(
    command,
    operands.map((target) => ruleOfRemoval(target, isRecursive, command, scene)),
  )
}

/** The rule that the removal of a target meets. */
export function ruleOfRemoval(
  target: string,
  isRecursive: boolean,
  { cwd, remote }: Command,
  scene: Scene,
): RuleId | undefined {
  if (target === '') return undefined
  const path = pathFrom(cwd, target)
  if (!isKnown(path)) return isRecursive ? ruleOfUnknown(target, cwd, scene) : undefined
  const kind = placeOf(path, scene)
  if (remote && kind !== 'system') return isRecursive && /^\/[^/]+\/?$/.test(path) ? 'rm.outside' : undefined
  if (kind === 'outside' && isCache(normalize(path), scene)) return undefined
  if (isRecursive) return byPlace[kind]
  if (kind === 'git') return /\.lock$/.test(target) ? undefined : 'rm.git'
  if (kind === 'store' || kind === 'settings') return byPlace[kind]
  return remote ? undefined : ruleOfFiles(path, kind)
}

/** What is removed without its folders: files outside, and all that stand in the top folder. */
function ruleOfFiles(path: string, kind: PlaceKind): RuleId | undefined {
  if (kind === 'outside' || kind === 'worktree') return 'rm.outside'
  // A folder by itself is refused by rm; its whole content is not.
  const isContent = /\/(?:\*+|\.\*)$/.test(path)
  if (kind === 'system') return isContent ? 'rm.outside' : undefined
  return kind === 'repository' && isContent ? 'rm.files' : undefined
}

/** A target that is known in part: judged as it would be where the unknown part is empty. */
function ruleOfUnknown(target: string, cwd: string, scene: Scene): RuleId | undefined {
  const known = target.replaceAll(hole, '')
  if (isTemporaryRoot(target.slice(0, target.indexOf(hole)), scene)) return undefined
  if (/^[./*]*$/.test(known) || /^\/\.git(?:\/|$)/.test(known)) return 'rm.dynamic'
  if (cwd.includes(hole) && !target.startsWith('/'))
    return /(?:^|\/)(?:\.git|\.\.)(?:\/|$)/.test(known) ? 'rm.dynamic' : undefined
  const kind = placeOf(pathFrom(cwd, known), scene)
  if (kind === 'outside') return target.startsWith(hole) ? undefined : 'rm.outside'
  return byPlace[kind] === undefined || kind === 'temporary-root' ? undefined : 'rm.dynamic'
}

/** mv: what is moved away is gone from its place, and gone for good in /dev/null. */
export const judgeMove: Judge = (command, scene) => {
  const { operands, values } = readOptions(command.argv.slice(1), {
    valued: 'tS',
    long: ['target-directory=', 'suffix='],
  })
  const target = (values.get('t') ?? values.get('target-directory'))?.[0]
  const sources = target === undefined ? operands.slice(0, -1) : operands
  const to = target ?? operands.at(-1) ?? ''
  const rules = sources.map((source) => {
    const path = pathFrom(command.cwd, source)
    if (!isKnown(path) || command.remote) return undefined
    const kind = placeOf(path, scene)
    return kind === 'outside' || kind === 'temporary-root' ? undefined : byPlace[kind]
  })
  return foundAny(command, [to === '/dev/null' && 'rm.dev-null', ...rules])
}

/** rsync --delete empties its target first. */
export const judgeRsync: Judge = (command, scene) => {
  const { flags, operands } = readOptions(command.argv.slice(1), { valued: 'efBT' })
  const isDeleting = [...flags].some((flag) => flag.startsWith('delete') || flag === 'del')
  const target = operands.at(-1) ?? ''
  if (!isDeleting || /^[^/]+:/.test(target)) return []
  return found(command, ruleOfRemoval(target, true, command, scene))
}

/** truncate, and cp of nothing: the name stays, what was in it does not. */
export const judgeEmptied: Judge = (command, scene) => {
  const { operands } = readOptions(command.argv.slice(1), { valued: 'sr' })
  const isCopy = nameOf(command.argv[0] ?? '') === 'cp'
  if (isCopy && operands[0] !== '/dev/null') return []
  const rules = operands.slice(isCopy ? 1 : 0).map((target) => ruleOfRemoval(target, false, command, scene))
  // A file of the person's own, emptied and not removed: only a whole folder of them is asked about.
  return foundAny(
    command,
    rules.filter((rule) => rule !== 'rm.outside'),
  )
}

/** chmod, chown and chgrp on what everything stands on. */
export const judgePermissions: Judge = (command, scene) => {
  const { flags, operands } = readOptions(command.argv.slice(1), {
    long: ['recursive', 'reference=', 'verbose', 'changes'],
  })
  const isRecursive = flags.has('R') || flags.has('recursive')
  const targets = operands.slice(flags.has('reference') ? 0 : 1).map((target) => pathFrom(command.cwd, target))
  const isRoot = targets.some(
    (path) => isKnown(path) && placeOf(path, scene) === 'system' && (isRecursive || path === '/'),
  )
  return found(command, isRoot && 'permissions.root')
}

const inHome = [
  '.cache',
  '.npm',
  '.gradle/caches',
  '.cargo/registry',
  '.yarn/cache',
  '.pnpm-store',
  '.bun/install/cache',
  '.local/share/pnpm/store',
  'go/pkg/mod/cache',
  'Library/Caches',
]
const ofSystem = ['/var/cache', '/var/lib/apt/lists', '/usr/local/share/.cache']

/** Whether a path, or all that is in it, is a cache: that of the home folder, or a part of the system's. */
function isCache(path: string, { world }: Scene): boolean {
  const plain = path.replace(/\/+\*?$/, '')
  const homes = [world.home, '/root']
  const folders = [...homes.flatMap((home) => inHome.map((name) => `${home}/${name}`)), ...ofSystem]
  return folders.some((folder) => isBelow(plain, folder) || (plain === folder && folder !== '/var/cache'))
}
