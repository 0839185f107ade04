import { lstatAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import type { WalkedFile } from '../walk/walk-files.ts'
import type { ManifestEntry } from './manifest-schema.ts'
import type { OpenScan } from './open-scan.ts'
import { readManifest } from './read-records.ts'

/** How the files of a scan differ from those of an earlier one. A renamed file is neither added nor deleted. */
export type Delta = { unchanged: number; changed: number; added: number; deleted: number; renamed: number }

/** An earlier scan, for one that goes on from it. */
export type Previous = {
  /** What it says of a file whose size and time are still the same. */
  known: (file: WalkedFile) => ManifestEntry | undefined
  /** Takes note of an entry of the new scan. */
  see: (entry: ManifestEntry) => void
  delta: () => Delta
}

/** A file changed in the moment that it was read in may have the same time as before. */
const clockMs = 2_000

export function openPrevious(open: OpenScan): Previous {
  const entries = new Map<string, ManifestEntry>()
  for (const entry of readManifest(open)) if (entry.skip === null) entries.set(entry.path, entry)
  const settledMs = Date.parse(open.scan.created) - clockMs
  const left = new Map(entries)
  const delta = { unchanged: 0, changed: 0 }
  const added: string[] = []
  return {
    known({ path, absolute }) {
      const entry = entries.get(path)
      if (entry === undefined || entry.mtime_ms >= settledMs || !isAsItWas(absolute, entry)) return undefined
      const { hunks: _, callers: __, ...rest } = entry
      return rest
    },
    see({ path, skip, sha256 }) {
      if (skip !== null) return
      const before = entries.get(path)
      left.delete(path)
      if (before === undefined) added.push(sha256)
      else delta[before.sha256 === sha256 ? 'unchanged' : 'changed'] += 1
    },
    delta() {
      const gone = countEach([...left.values()].map(({ sha256 }) => sha256))
      const renamed = added.filter((sha256) => takeOne(gone, sha256)).length
      return { ...delta, added: added.length - renamed, deleted: left.size - renamed, renamed }
    },
  }
}

function isAsItWas(path: string, entry: ManifestEntry): boolean {
  try {
    const stats = lstatAt(path)
    return stats?.isFile() === true && stats.size === entry.bytes && stats.mtimeMs === entry.mtime_ms
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function takeOne(counts: Map<string, number>, value: string): boolean {
  const count = counts.get(value) ?? 0
  counts.set(value, count - 1)
  return count > 0
}
