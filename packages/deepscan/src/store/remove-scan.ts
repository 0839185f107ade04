import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { entriesBelow, entriesIn } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { isPidInUse } from '@switchyard/ground/process-name'
import { transact } from '@switchyard/jsonl'
import { currentId, markerPath } from './current.ts'
import type { OpenScan } from './open-scan.ts'
import { workerOn } from './writer.ts'

/**
 * Removes a scan, and the mark that made it current. Nobody sees a part of it: it goes by a rename, and what a kill
 * leaves behind is no scan. Fails as `conflict` while somebody works on it.
 */
export async function removeScan(open: OpenScan): Promise<void> {
  const holder = workerOn(open)
  if (holder !== undefined) {
    const hint = 'end it first; deepscan progress shows how far it is'
    throw new Failure('conflict', `${holder} works on ${open.scan.id}`, { hint })
  }
  const { home, scan, folder } = open
  const marker = markerPath(home, scan.root)
  await transact(marker, () => {
    if (currentId(home, scan.root) === scan.id) rmSync(marker, { force: true })
  })
  const gone = join(home, 'scans', `.gone-${scan.id}`)
  renameSync(folder, gone)
  rmSync(gone, { recursive: true, force: true })
}

/** What killed processes left of scans that they were making or removing. */
export function findLeftovers(home: string): string[] {
  return entriesIn(join(home, 'scans')).flatMap(({ name }) => {
    const pid = /^\.draft-(\d+)-/.exec(name)?.[1]
    const isLeft = pid === undefined ? name.startsWith('.gone-') : !isPidInUse(Number(pid))
    return isLeft ? [join(home, 'scans', name)] : []
  })
}

/** The bytes of the files in a folder and below it. */
export function bytesBelow(folder: string): number {
  let bytes = 0
  for (const entry of entriesBelow(folder)) {
    if (entry.isFile()) bytes += lstatAt(join(entry.parentPath, entry.name))?.size ?? 0
  }
  return bytes
}
