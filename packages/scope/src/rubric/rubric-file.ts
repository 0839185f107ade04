// The rubric of a loop, in its session: read anew at every check, so that who edits it steers the loop. It is signed,
// as its gates are commands: what came with a repository, or what a worker wrote over it, is never run.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readStored, realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { isSignedHere } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import { sessionFolder } from '../session/scope-store.ts'
import { sign } from '../session/sign.ts'
import { parseRubric, type Rubric } from './rubric.ts'

const purpose = 'scope:rubric'

/** Where the rubric of a session lies. */
export const rubricFile = (store: Store, id: string) => join(sessionFolder(store, id), 'rubric.md')
const signatureFile = (store: Store, id: string) => join(sessionFolder(store, id), 'rubric.json')

const signedOf = (store: Store, id: string, hash: string) => [realPathIfThere(store.path) ?? store.path, id, hash]

/** Keeps a rubric that was found to be one. Exits 1 where this machine has no place for a key to sign it. */
export function keepRubric(store: Store, id: string, text: string, env: Env): void {
  const rubric = hashOf(text)
  const signature = sign(purpose, signedOf(store, id, rubric), env)
  const [path, note] = [rubricFile(store, id), signatureFile(store, id)]
  writeWhole(path, `${path}.draft`, text)
  writeWhole(note, `${note}.draft`, `${JSON.stringify({ v: 1, id, rubric, signature })}\n`)
}

/** The rubric as it stands, and its SHA-256. Exits 3 where there is none, 5 when this machine did not write it. */
export function readRubric(store: Store, id: string, env: Env): { rubric: Rubric; hash: string } {
  const text = readStored(rubricFile(store, id))
  if (text === undefined) throw new Failure('notFound', `session ${id} has no rubric`)
  const hash = hashOf(text)
  const note = parseJson(readStored(signatureFile(store, id)) ?? '')
  const signature = isPlainObject(note) ? note['signature'] : undefined
  if (!isSignedHere(purpose, signedOf(store, id, hash), signature, env)) {
    throw new Failure('conflict', `the rubric of session ${id} was changed by something else than scope rubric`, {
      hint: `look at it, then: scope rubric ${id} --set ${rubricFile(store, id)}`,
      retryable: false,
    })
  }
  const { rubric, faults } = parseRubric(text)
  if (faults.length > 0) throw new Failure('usage', `the rubric of session ${id} is none: ${faults.join('; ')}`)
  return { rubric, hash }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
