// The id of a new session. Its folder is the claim: of two who want the same number one makes it, the other goes on.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { orRefusedLater, readStored } from '@switchyard/ground/disk'
import { systemCode } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { createScope, sessionFolder } from '../session/scope-store.ts'

/** Makes the folder of a new session, a child of `parent` or a root; returns its id, which no other ever had. */
export async function newId(store: Store, parent: string | undefined): Promise<string> {
  createScope(store)
  const counter = join(parent === undefined ? store.path : sessionFolder(store, parent), 'next_id')
  return orRefusedLater(`a session was to be made in ${store.path}`, () =>
    transact(counter, () => {
      for (let number = Number(readStored(counter)) || 0; ; number++) {
        const id = parent === undefined ? String(number) : `${parent}.${number}`
        if (!isMadeNow(sessionFolder(store, id))) continue
        writeWhole(counter, `${counter}.draft`, `${number + 1}\n`)
        return id
      }
    }),
  )
}

/** Makes the folder of what a loop starts. Only that loop gives this id, and may again while nothing came of it. */
export function claimId(store: Store, id: string): string {
  createScope(store)
  isMadeNow(sessionFolder(store, id))
  return id
}

function isMadeNow(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    return false
  }
}
