import { lstatAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import type { Context } from '../finding/context.ts'
import { measureFile } from '../walk/measure.ts'
import type { SkipReason } from '../walk/skip-reason.ts'
import { readFileBytes } from '../walk/source-file.ts'
import type { WalkedFile } from '../walk/walk-files.ts'
import type { ManifestEntry } from './manifest-schema.ts'

/** Which files are taken in: `all` with what is generated, minified or vendored; `lazy` reads none of them. */
export type Collecting = { maxFileBytes: number; all: boolean; lazy: boolean }

const nothing = {
  bytes: 0,
  lines: 0,
  sha256: '',
  mtime_ms: 0,
  language: null,
  kind: 'source',
  encoding: 'utf8',
  mark: false,
  tokens: 0,
} as const

const leftOutKinds: ReadonlySet<Context> = new Set(['generated', 'minified', 'vendored'])

/** What a manifest says of each path of a walk, in its order. One file is in memory at a time. */
export function* collectEntries(files: Iterable<WalkedFile>, collecting: Collecting): Generator<ManifestEntry> {
  for (const file of files) yield file.skip === null ? readEntry(file, collecting) : leftOut(file, file.skip)
}

function readEntry(file: WalkedFile, { maxFileBytes, all, lazy }: Collecting): ManifestEntry {
  if (lazy) return leftOut(file, 'not loaded yet')
  const read = readFileBytes(file.absolute, maxFileBytes)
  if (typeof read === 'string') return leftOut(file, read)
  const measured = measureFile(file.below, read.bytes)
  if (measured === undefined) return leftOut(file, 'binary')
  const entry = { path: file.path, ...measured, mtime_ms: read.mtimeMs, skip: null }
  if (all || !leftOutKinds.has(measured.kind)) return entry
  return { ...entry, sha256: '', skip: skipOfKind(measured.kind) }
}

function skipOfKind(kind: Context): SkipReason {
  return kind === 'minified' || kind === 'vendored' ? kind : 'generated'
}

function leftOut(file: WalkedFile, skip: SkipReason): ManifestEntry {
  const stats = file.path.endsWith('/') ? undefined : statsOf(file.absolute)
  const size = stats?.isFile() ? stats.size : 0
  return { path: file.path, ...nothing, bytes: size, mtime_ms: stats?.mtimeMs ?? 0, skip }
}

function statsOf(path: string) {
  try {
    return lstatAt(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
