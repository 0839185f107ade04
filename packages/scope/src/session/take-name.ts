// Taking a name for a session, of which one of two who want it gets it.
import { fileIn, orRefusedLater } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { writeWhole } from '@switchyard/ground/whole-file'
import { transact } from '@switchyard/jsonl'
import type { Store } from '@switchyard/topic'
import { readAlias } from './names.ts'
import { readSession } from './read-session.ts'
import { makeFolderIn } from './scope-store.ts'
import { isAlias } from './session-id.ts'

/**
 * Gives a session its name. Exits 2 when the text can be none, 5 when another session has it. The name of a session
 * that never came to be is free.
 */
export async function takeName(store: Store, name: string, id: string): Promise<void> {
  if (!isAlias(name)) {
    throw new Failure('usage', `expected a name of letters, digits, - and _ that begins with a letter, got ${name}`)
  }
  const path = fileIn(store, `names/${name}`)
  await orRefusedLater(`the name ${name} was to be taken`, () => {
    makeFolderIn(store, 'names')
    return transact(path, () => {
      const holder = readAlias(store, name)
      if (holder !== undefined && readSession(store, holder) !== undefined) throw taken(store, name, holder)
      writeWhole(path, `${path}.draft`, `${id}\n`)
    })
  })
}

function taken(store: Store, name: string, holder: string): Failure {
  let next = 2
  while (readAlias(store, `${name}-${next}`) !== undefined) next += 1
  return new Failure('conflict', `session ${holder} is called ${name} already`, {
    hint: `${name}-${next} is free`,
    retryable: false,
  })
}
