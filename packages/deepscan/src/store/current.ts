import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { lstatAt } from '@switchyard/ground/at-path'
import { readStored } from '@switchyard/ground/disk'
import { scanIdPattern } from './scan-schema.ts'

/** The file that says which scan of a project is current; projects never share one. */
export function markerPath(home: string, root: string): string {
  return join(home, 'current', createHash('sha256').update(root).digest('hex').slice(0, 32))
}

/** The id of a project's current scan; undefined when it has none, or the one it had is gone. */
export function currentId(home: string, root: string): string | undefined {
  const id = readStored(markerPath(home, root))?.trim() ?? ''
  if (!scanIdPattern.test(id)) return undefined
  return lstatAt(join(home, 'scans', id)) === undefined ? undefined : id
}
