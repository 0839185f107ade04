import { lstatAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import type { Context } from '../finding/context.ts'
import type { Hunk } from '../walk/hunks.ts'
import { measureFile } from '../walk/measure.ts'
import type { SkipReason } from '../walk/skip-reason.ts'
import { readFileBytes } from '../walk/source-file.ts'
import type { WalkedFile } from '../walk/walk-files.ts'
import type { ManifestEntry } from './manifest-schema.ts'

/** The bytes of a file and when it was changed, or why it cannot be read. */
type Content = { bytes: Buffer; mtimeMs: number }
export type ReadContent = (file: WalkedFile) => Content | SkipReason | Promise<Content | SkipReason>

/**
 * Which files are taken in: `all` with what is generated, minified or vendored; `lazy` reads none of them. `known` gives
 * what an earlier scan says of a file that has not changed, `hunks` the changed lines of a path, `callers` those that call what changed.
 */
export type Collecting = {
  read: ReadContent
  all: boolean
  lazy: boolean
  known?: ((file: WalkedFile) => ManifestEntry | undefined) | undefined
  hunks?: ReadonlyMap<string, readonly Hunk[]> | undefined
  callers?: ReadonlyMap<string, readonly Hunk[]> | undefined
}

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
export async function* collectEntries(
  files: Iterable<WalkedFile>,
  collecting: Collecting,
): AsyncGenerator<ManifestEntry> {
  for (const file of files) {
    const entry = file.skip === null ? await readEntry(file, collecting) : leftOut(file, file.skip)
    const isIn = entry.skip === null
    const hunks = isIn ? collecting.hunks?.get(entry.path) : undefined
    const callers = isIn ? collecting.callers?.get(entry.path) : undefined
    yield {
      ...entry,
      ...(hunks && { hunks: hunksWithin(hunks, entry.lines) }),
      ...(callers && { callers: hunksWithin(callers, entry.lines) }),
    }
  }
}

/** Reads a file of the working tree; never more than `maxBytes`. */
export function readFromDisk(maxBytes: number): ReadContent {
  return ({ absolute }) => readFileBytes(absolute, maxBytes)
}

async function readEntry(file: WalkedFile, { read, all, lazy, known }: Collecting): Promise<ManifestEntry> {
  if (lazy) return leftOut(file, 'not loaded yet')
  const entry = known?.(file) ?? (await measured(file, read))
  if (entry.skip !== null || all || file.isNamed || !leftOutKinds.has(entry.kind)) return entry
  return { ...entry, sha256: '', skip: skipOfKind(entry.kind) }
}

async function measured(file: WalkedFile, read: ReadContent): Promise<ManifestEntry> {
  const content = await read(file)
  if (typeof content === 'string') return leftOut(file, content)
  const facts = measureFile(file.below, content.bytes)
  if (facts === undefined) return leftOut(file, 'binary')
  return { path: file.path, ...facts, mtime_ms: content.mtimeMs, skip: null }
}

/** A file that git does not know has changed from its first line to its last. */
function hunksWithin(hunks: readonly Hunk[], lines: number): [number, number][] {
  const last = Math.max(1, lines)
  return hunks.map(([from, to]) => [Math.min(from, last), Math.min(to, last)])
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
