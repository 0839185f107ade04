import type { Scan, scanSource } from '../src/scan/scan.ts'

/** The scan of a source that is not nested too deeply. */
export function scanned(scan: ReturnType<typeof scanSource>): Scan {
  if (scan === 'nested too deeply') throw new Error('the source is nested too deeply')
  return scan
}
