// Writing the cache, by whoever had to read more than it would have liked. Any number may do so at once: each writes a
// file of its own and puts it in place, and any of them is right.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '@switchyard/ground/failure'
import { writePlainFile } from '@switchyard/ground/plain-file'
import { ulid } from '@switchyard/ground/ulid'
import { type Piece, writeCacheFile } from '../cache-file/file.ts'
import { cacheFolder, cachePath, type Head, sources } from './cache.ts'
import type { LogReading } from './reading.ts'
import { takeSnapshot } from './take-snapshot.ts'

const draftAgeMaxMs = 60_000
/** Readers need no permission to write and no room on the disk; and whoever removes the store may do so at any time. */
const harmless = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG'],
  ...['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY', 'ELOOP'],
]

/** Puts what was read into the cache; does without where the disk does not let it. `now` is ms since 1970. */
export function saveCache(log: string, { ledger, damaged, mark }: LogReading, now: number): void {
  if (mark === undefined) return
  const folder = cacheFolder(log)
  const draft = join(folder, `draft-${ulid(now)}`)
  const pieces: Buffer[] = []
  let length = 0
  const put = (text: string): Piece => {
    const bytes = Buffer.from(text)
    pieces.push(bytes)
    length += bytes.length
    return [length - bytes.length, bytes.length]
  }
  const head: Head = { sources: sources(), mark, damaged, snapshot: takeSnapshot(ledger, put) }
  orHarmless(() => {
    makeFolder(folder, now)
    writeCacheFile(cachePath(log), draft, JSON.stringify(head), pieces)
  })
  orHarmless(() => rmSync(draft, { force: true }))
}

function makeFolder(folder: string, now: number): void {
  orHarmless(() => mkdirSync(folder))
  // Always anew: one who was killed may have left it empty.
  writePlainFile(join(folder, '.gitignore'), '*\n')
  // What a killed one left; the time of the last change says nothing of a finished file.
  for (const name of readdirSync(folder)) {
    const isOld = name.startsWith('draft-') && now - statSync(join(folder, name)).ctimeMs > draftAgeMaxMs
    if (isOld) rmSync(join(folder, name), { force: true })
  }
}

function orHarmless(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!harmless.includes(systemCode(error) ?? '')) throw error
  }
}
