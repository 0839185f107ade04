import { mkdirSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import { fail } from '../errors/fail.ts'
import { openBlobs } from '../walk/blobs.ts'
import { slashed } from '../walk/folder-rules.ts'
import {
  changedPaths,
  forkPoint,
  type GitPlace,
  listTree,
  readPatch,
  resolveCommit,
  untrackedPaths,
} from '../walk/git.ts'
import { type Hunk, parseHunks } from '../walk/hunks.ts'
import { listedFiles } from '../walk/listed-files.ts'
import { type Narrowing, narrowed } from '../walk/narrow.ts'
import { isSecretName } from '../walk/secret-names.ts'
import { type Origin, rootOfPath, type WalkedFile, walkFiles } from '../walk/walk-files.ts'
import { collectEntries, readFromDisk } from './collect-entries.ts'
import { readFromCommit, rulesOfCommit, walkCommit } from './commit-files.ts'
import type { ManifestEntry } from './manifest-schema.ts'
import type { Previous } from './previous-scan.ts'
import type { Env } from './scans-home.ts'

/** What a scan is to be made of. `listed`: the paths of --files-from. */
export type Wanted = Narrowing & {
  paths: readonly string[]
  targets: readonly string[]
  listed: readonly string[] | undefined
  rev: string | undefined
  since: string | undefined
  diff: string | undefined
  gitignore: boolean
  all: boolean
  lazy: boolean
  /** Whether files that people keep secrets in are left out. */
  skipSecrets: boolean
  maxFileBytes: number
}

/** Where the paths of a scan count from, the commits that it is about, and its entries once it has a folder. */
export type Plan = {
  root: string
  rev: string | null
  since: string | null
  diffBase: string | null
  entries: (folder: string) => AsyncIterable<ManifestEntry>
}

/** Finds who calls what has changed: the lines of the callers, by path. `walk` gives the files of the tree. */
export type FindCallers = (
  walk: () => Iterable<WalkedFile>,
  hunks: ReadonlyMap<string, readonly Hunk[]>,
) => Promise<ReadonlyMap<string, readonly Hunk[]>>

type World = { cwd: string; env: Env; findCallers: FindCallers }

/** Resolves what is asked for: paths, commits, changes. Reads no content yet. */
export function planScan(wanted: Wanted, world: World, previous: Previous | undefined): Plan {
  const origin = { cwd: world.cwd, home: world.env['HOME'] }
  const needsGit = [wanted.rev, wanted.since, wanted.diff].some((name) => name !== undefined)
  const place = needsGit ? gitPlace(wanted, world) : undefined
  const root = place?.top ?? rootOfPath(wanted.paths[0] ?? '.', origin)
  if (wanted.rev === undefined) refuseOtherRoots(wanted.paths, root, origin)
  const rev = place && wanted.rev !== undefined ? resolveCommit(place, wanted.rev) : null
  const since = place && wanted.since !== undefined ? resolveCommit(place, wanted.since) : null
  const named = place && wanted.diff !== undefined ? resolveCommit(place, wanted.diff) : null
  const diffBase = place && named !== null ? forkPoint(place, named, rev ?? 'HEAD') : null
  const hunks = place && diffBase !== null ? changedHunks(place, diffBase, rev) : undefined
  const changed = place && since !== null ? changedPaths(place, since, rev) : undefined
  const wantedOf = (files: Iterable<WalkedFile>) => withoutSecrets(narrowed(files, wanted), wanted.skipSecrets)
  const narrow = (files: Iterable<WalkedFile>) => onlyChanged(wantedOf(files), changed, hunks)
  const common = { all: wanted.all, lazy: wanted.lazy, hunks, known: previous?.known }
  const entries =
    place && rev !== null
      ? (folder: string) => entriesOfCommit(place, rev, { wanted, world, narrow, common, folder })
      : () => entriesOnDisk(() => wantedOf(filesOnDisk(wanted, world, root)), { wanted, world, changed, common })
  return { root, rev, since, diffBase, entries }
}

/** Paths of a scan count from one folder. */
function refuseOtherRoots(paths: readonly string[], root: string, origin: Origin): void {
  for (const path of paths) {
    if (rootOfPath(path, origin) !== root) throw fail('DS-001', { path, reason: `it does not belong to ${root}` })
  }
}

type Disk = {
  wanted: Wanted
  world: World
  changed: { has: (path: string) => boolean } | undefined
  common: Omit<Parameters<typeof collectEntries>[1], 'read'>
}

/** Files of the working tree; after a change, those that changed and those that call what did. */
async function* entriesOnDisk(
  walk: () => Iterable<WalkedFile>,
  { wanted, world, changed, common }: Disk,
): AsyncGenerator<ManifestEntry> {
  const { hunks } = common
  const callers = hunks && !wanted.lazy ? await world.findCallers(walk, hunks) : undefined
  const near = hunks && { has: (path: string) => hunks.has(path) || callers?.has(path) === true }
  const read = readFromDisk(wanted.maxFileBytes)
  yield* collectEntries(onlyChanged(walk(), changed, near), { ...common, callers, read })
}

/** A path need not be there any more in a commit: then the working folder says which repository is meant. */
function gitPlace({ paths, rev }: Wanted, { cwd, env }: World): GitPlace {
  const home = env['HOME']
  const start = rev === undefined ? rootOfPath(paths[0] ?? '.', { cwd, home }) : realpathSync(cwd)
  const top = findRepository(start, home)?.top
  if (top !== undefined) return { top, env }
  throw new Failure('usage', 'expected a repository for --rev, --since or --diff, got none here')
}

function filesOnDisk(wanted: Wanted, { cwd, env }: World, root: string): Iterable<WalkedFile> {
  if (wanted.listed !== undefined) return listedFiles(wanted.listed, cwd, root)
  const paths = wanted.targets.length > 0 ? targetPaths(wanted, cwd) : wanted.paths
  return walkFiles(paths, { cwd, home: env['HOME'], gitignore: wanted.gitignore })
}

/** Targets count from the one path that is scanned, and lie below it. */
function targetPaths({ paths, targets }: Wanted, cwd: string): string[] {
  const base = resolve(cwd, paths[0] ?? '.')
  return targets.map((target) => {
    const path = resolve(base, target)
    const below = relative(base, path)
    if (below !== '..' && !slashed(below).startsWith('../')) return path
    throw fail('DS-001', { path: target, reason: `it is not below ${base}` })
  })
}

type Commit = {
  wanted: Wanted
  world: World
  narrow: (files: Iterable<WalkedFile>) => Iterable<WalkedFile>
  common: Omit<Parameters<typeof collectEntries>[1], 'read'>
  folder: string
}

async function* entriesOfCommit(place: GitPlace, rev: string, commit: Commit): AsyncGenerator<ManifestEntry> {
  const { wanted, world, narrow, common, folder } = commit
  const bases = wanted.targets.length > 0 ? targetPaths(wanted, world.cwd) : wanted.paths
  const named = (wanted.listed ?? bases).map((path) => pathBelow(place.top, resolve(realpathSync(world.cwd), path)))
  const files = join(folder, 'files')
  mkdirSync(files, { mode: 0o700 })
  const blobs = openBlobs(place)
  try {
    const entries = listTree(place, rev, named)
    const rules = await rulesOfCommit(entries, blobs)
    const walked = narrow(walkCommit(entries, rules, { maxFileBytes: wanted.maxFileBytes, named }))
    yield* collectEntries(walked, { ...common, read: readFromCommit(blobs, files) })
  } finally {
    blobs.close()
  }
}

function pathBelow(top: string, absolute: string): string {
  const path = slashed(relative(top, absolute))
  if (path !== '..' && !path.startsWith('../')) return path
  throw fail('DS-001', { path: absolute, reason: `it is not below ${top}` })
}

function changedHunks(place: GitPlace, base: string, rev: string | null): ReadonlyMap<string, readonly Hunk[]> {
  const hunks = new Map<string, readonly Hunk[]>(parseHunks(readPatch(place, base, rev)))
  const whole: readonly Hunk[] = [[1, Number.MAX_SAFE_INTEGER]]
  if (rev === null) for (const path of untrackedPaths(place)) hunks.set(path, whole)
  return hunks
}

/** Leaves out the files that have not changed. */
function* onlyChanged(
  files: Iterable<WalkedFile>,
  ...changes: ({ has: (path: string) => boolean } | undefined)[]
): Generator<WalkedFile> {
  for (const file of files) {
    const isOut = file.skip === null && changes.some((paths) => paths?.has(file.path) === false)
    yield isOut ? { ...file, skip: 'not changed' } : file
  }
}

function* withoutSecrets(files: Iterable<WalkedFile>, isWanted: boolean): Generator<WalkedFile> {
  for (const file of files) {
    const isOut = isWanted && file.skip === null && isSecretName(file.path)
    yield isOut ? { ...file, skip: 'may hold secrets' } : file
  }
}
