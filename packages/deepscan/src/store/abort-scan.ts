import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { isWanted } from './ask.ts'
import type { OpenScan } from './open-scan.ts'
import { bytesBelow, removeScan } from './remove-scan.ts'
import type { Removed } from './removed-schema.ts'

/** Removes a scan once a person who can be asked has said yes; says so. Fails as `conflict` when the answer is no. */
export async function abortScan(open: OpenScan, yes: boolean, world: Pick<Context, 'input' | 'output'>): Promise<void> {
  const { id, root } = open.scan
  if (!yes && !isWanted(`Remove ${id} of ${root}?`, world)) {
    throw new Failure('conflict', `${id} stays`, { hint: 'answer y, or say --yes', retryable: false })
  }
  const removed: Removed = { v: 1, type: 'removed', scan: id, bytes: bytesBelow(open.folder), reason: 'abort' }
  await removeScan(open)
  world.output.one(removed, { text: () => `removed ${id}`, id: () => id })
}
