// Names that people give to sessions: a file each, which holds the id. Making the file is taking the name.
import { fileIn, readStored } from '@switchyard/ground/disk'
import type { Store } from '@switchyard/topic'
import { isAlias, isSessionId } from './session-id.ts'

/** The id of the session with this name; undefined when none has it. */
export function readAlias(store: Store, name: string): string | undefined {
  if (!isAlias(name)) return undefined
  const id = readStored(fileIn(store, `names/${name}`))?.trim()
  return id !== undefined && isSessionId(id) ? id : undefined
}
