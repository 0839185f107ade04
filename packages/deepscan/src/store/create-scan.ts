import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { writeAll, writeWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'
import { currentId, markerPath } from './current.ts'
import type { ManifestEntry } from './manifest-schema.ts'
import type { OpenScan } from './open-scan.ts'
import { findLeftovers } from './remove-scan.ts'
import type { Scan } from './scan-schema.ts'
import { asCacheFailure, makeScansHome } from './scans-home.ts'

/** Where the scan is made and by whom; `force`: it takes the place of the project's current scan. */
export type Creating = { home: string; pid: number; force: boolean }

const logs = ['chunks.jsonl', 'events.jsonl', 'results.jsonl', 'findings.jsonl']
const pieceUnits = 65_536

/**
 * Makes a scan and the current one of its project. It appears whole or not at all, also when the process is killed;
 * when making its entries fails, nothing is left. `entriesIn` is given the folder that will be the scan's. Fails as `conflict` when the project has a current scan.
 */
export async function createScan(
  scan: Scan,
  entriesIn: (draft: string) => AsyncIterable<ManifestEntry>,
  { home, pid, force }: Creating,
): Promise<OpenScan> {
  makeScansHome(home)
  for (const left of findLeftovers(home)) rmSync(left, { recursive: true, force: true })
  if (!force) refuseCurrent(home, scan.root)
  const draft = join(home, 'scans', `.draft-${pid}-${scan.id}`)
  const folder = join(home, 'scans', scan.id)
  try {
    mkdirSync(draft, { mode: 0o700 })
    await writeManifest(join(draft, 'manifest.jsonl'), entriesIn(draft))
    for (const name of logs) writeFileSync(join(draft, name), '', { mode: 0o600 })
    writeFileSync(join(draft, 'scan.json'), `${JSON.stringify(scan)}\n`, { mode: 0o600, flush: true })
    await transact(markerPath(home, scan.root), () => {
      if (!force) refuseCurrent(home, scan.root)
      renameSync(draft, folder)
      syncFolder(join(home, 'scans'))
      setCurrent(home, scan.root, scan.id)
    })
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw asCacheFailure(home, error)
  }
  return { scan, folder, home }
}

/** Makes a scan the current one of its project. The caller holds the section on the marker. */
export function setCurrent(home: string, root: string, id: string): void {
  const path = markerPath(home, root)
  writeWhole(path, `${path}.draft`, `${id}\n`)
}

/** Fails as `conflict` when the project has a current scan. */
function refuseCurrent(home: string, root: string): void {
  const id = currentId(home, root)
  if (id === undefined) return
  throw new Failure('conflict', `${root} has a current scan, ${id}`, {
    hint: `deepscan init --force begins another, deepscan resume ${id} goes on with it, deepscan abort ${id} removes it`,
    retryable: false,
  })
}

async function writeManifest(path: string, entries: AsyncIterable<ManifestEntry>): Promise<void> {
  const fd = openSync(path, 'wx', 0o600)
  try {
    let piece = ''
    for await (const entry of entries) {
      piece += `${JSON.stringify(entry)}\n`
      if (piece.length < pieceUnits) continue
      writeAll(fd, Buffer.from(piece))
      piece = ''
    }
    writeAll(fd, Buffer.from(piece))
  } finally {
    closeSync(fd)
  }
}
