import { fail } from '../errors/fail.ts'
import type { Chunk } from '../store/chunk-schema.ts'
import type { OpenScan } from '../store/open-scan.ts'
import { readChunks } from '../store/read-records.ts'

/** The chunks of a scan, which are made now where nobody has. Fails as DS-202 when none comes out. */
export async function requireChunks(open: OpenScan): Promise<Chunk[]> {
  const there = [...readChunks(open)]
  if (there.length > 0) return there
  throw fail('DS-202', { scan: open.scan.id })
}
