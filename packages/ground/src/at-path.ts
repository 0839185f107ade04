// Whether there is something at a path. A path below a file leads nowhere: Node 20 throws ENOTDIR there, later ones say
// that there is nothing, and whoever asks is to hear the same from all. The only file that asks Node this way.
import type { BigIntStats, Stats } from 'node:fs'
import { systemCode } from './failure.ts'
import { lstatSync, statSync } from './machine.ts'

const quietly = { throwIfNoEntry: false } as const

/** What lies at a path, behind links; undefined where nothing does. Throws the system's answer when it is hidden. */
export function statAt(path: string): Stats | undefined {
  return unlessBelowFile(() => statSync(path, quietly))
}

/** The stats of what is at a path, of a link itself; undefined where nothing is. */
export function lstatAt(path: string): Stats | undefined {
  return unlessBelowFile(() => lstatSync(path, quietly))
}

/** Like `statAt`, with times in nanoseconds. */
export function exactStatAt(path: string): BigIntStats | undefined {
  return unlessBelowFile(() => statSync(path, { ...quietly, bigint: true }))
}

function unlessBelowFile<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
