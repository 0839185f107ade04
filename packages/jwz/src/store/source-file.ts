import { closeSync, fstatSync, openSync } from 'node:fs'
import { Failure, systemCode } from '@switchyard/ground/failure'
import { piecesOf } from '@switchyard/topic/blob-file'

/** A file that somebody named, open for reading; fails as bad input when it cannot be read. The caller closes it. */
export function openSource(path: string): number {
  return orUnreadable(path, () => {
    const descriptor = openSync(path, 'r')
    if (!fstatSync(descriptor).isDirectory()) return descriptor
    closeSync(descriptor)
    throw new Failure('usage', `a file was expected, ${path} is a folder`)
  })
}

/** The bytes of such a file, a piece at a time; fails as bad input where the disk does not give them. */
export function* piecesOfSource(path: string, descriptor: number): Generator<Buffer> {
  const pieces = piecesOf(descriptor)
  for (;;) {
    const { done, value } = orUnreadable(path, () => pieces.next())
    if (done) return
    yield value
  }
}

function orUnreadable<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new Failure('usage', `cannot read ${path}: ${code}`, { cause: error })
  }
}
