import { join } from 'node:path'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { holdLock, lockState } from '@switchyard/jsonl'
import type { OpenScan } from './open-scan.ts'

/** So long another call may finish with a scan before it is refused. */
const deadlineMs = 1_000

/** The file whose lock says who works on a scan. */
const lockedFile = ({ folder }: OpenScan) => join(folder, 'scan.json')

/**
 * Works on a scan as the only one: `lost` is aborted when the lock was taken away. Fails as `lockTimeout` while another
 * call of deepscan does; a killed one's lock is inherited.
 */
export async function asWriter<T>(open: OpenScan, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await holdLock(lockedFile(open), work, { deadlineMs })
  } catch (error) {
    const holder = workerOn(open)
    if (!isFailure(error) || error.kind !== 'lockTimeout' || holder === undefined) throw error
    throw new Failure('lockTimeout', `${holder} works on ${open.scan.id}`, {
      hint: 'deepscan progress --watch shows how far it is; end it, or wait',
      cause: error,
    })
  }
}

/** Who works on a scan now, in words; undefined when nobody does. */
export function workerOn(open: OpenScan): string | undefined {
  const { state, holder } = lockState(lockedFile(open))
  return state === 'held' || state === 'unknown' ? (holder ?? 'another process') : undefined
}
