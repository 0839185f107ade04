import type { Chunk } from '../store/chunk-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readChunks } from '../store/read-records.ts'
import { type Performing, performQuietly } from './own-verb.ts'

/** The chunks of a scan, which `deepscan chunk` makes now where nobody has. Fails as DS-202 when none comes out. */
export async function requireChunks(open: OpenScan, call: Performing): Promise<Chunk[]> {
  const there = [...readChunks(open)]
  if (there.length > 0) return there
  await performQuietly(call, ['chunk', '--session', open.scan.id])
  return [...readChunks(open)]
}
