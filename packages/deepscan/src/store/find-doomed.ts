import { join } from 'node:path'
import { listScans } from './list-scans.ts'
import { readScan } from './open-scan.ts'
import { bytesBelow, findLeftovers } from './remove-scan.ts'
import type { Removed } from './removed-schema.ts'
import { workerOn } from './writer.ts'

/** Something to remove, and where it lies. */
export type Doomed = { removed: Removed; folder: string }

/** `before`: milliseconds since 1970. */
export type Limits = { before: number; bytesMax: number }

/**
 * What is to go: leftovers of killed processes, scans that nobody has worked on since `before`, then the oldest ones
 * until the rest fits. What somebody works on stays, and is told of.
 */
export function findDoomed(home: string, { before, bytesMax }: Limits, complain: (text: string) => void): Doomed[] {
  const left = findLeftovers(home).map((folder) => doom(folder, folder, bytesBelow(folder), 'left behind'))
  const scans = listScans(home, (text) => complain(`left alone: ${text}`))
    .map(({ scan, updated }) => {
      const folder = join(home, 'scans', scan)
      return { scan, folder, bytes: bytesBelow(folder), at: Date.parse(updated) }
    })
    .filter(({ scan }) => {
      const holder = workerOn(readScan(home, scan))
      if (holder !== undefined) complain(`left alone: ${holder} works on ${scan}`)
      return holder === undefined
    })
  let rest = scans.filter(({ at }) => at > before).reduce((sum, { bytes }) => sum + bytes, 0)
  const doomed = [...scans].reverse().flatMap(({ scan, folder, bytes, at }) => {
    if (at <= before) return [doom(scan, folder, bytes, 'age')]
    if (rest <= bytesMax) return []
    rest -= bytes
    return [doom(scan, folder, bytes, 'size')]
  })
  return [...left, ...doomed]
}

function doom(scan: string, folder: string, bytes: number, reason: Removed['reason']): Doomed {
  return { removed: { v: 1, type: 'removed', scan, bytes, reason }, folder }
}
