// Tells one stop of an agent from another: two hooks that are installed for the same one are to count it once.

import { createHash } from 'node:crypto'
import { statAt } from '@switchyard/ground/at-path'

import { systemCode } from '@switchyard/ground/failure'
import type { StopEvent } from './turn-world.ts'

/**
 * A mark by which a stop is known again, another one for each that comes later: an agent that was sent on has more in
 * its transcript. Undefined where there is no transcript to go by.
 */
export function markOf({ transcript, lastMessage, continued }: StopEvent): string | undefined {
  const size = sizeOf(transcript)
  if (size === 0) return undefined
  return createHash('sha256')
    .update(JSON.stringify([transcript, size, continued, lastMessage]))
    .digest('hex')
    .slice(0, 16)
}

function sizeOf(path: string | undefined): number {
  try {
    return (path === undefined ? undefined : statAt(path)?.size) ?? 0
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return 0
  }
}
