// The orders of a session: what its supervisor runs. They are signed, as `.scope` may have come with a repository.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readStored, readStoredBytes, realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { isSignedHere } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import { sessionFolder } from '../session/scope-store.ts'
import { sign } from '../session/sign.ts'
import { isLaunch, launchFields } from './launch.check.ts'
import type { Launch } from './launch-schema.ts'

const purpose = 'scope:launch'

const launchFile = (store: Store, id: string) => join(sessionFolder(store, id), 'launch.json')
const contractFile = (store: Store, id: string) => join(sessionFolder(store, id), 'contract.md')

const signedOf = (store: Store, launch: Launch): string[] => [
  realPathIfThere(store.path) ?? store.path,
  JSON.stringify(Object.fromEntries(launchFields.map((name) => [name, launch[name as keyof Launch]]))),
]

/** Keeps the orders of a session with its contract. Exits 1 where this machine has no place for a key to sign them. */
export function keepLaunch(
  store: Store,
  { contract, env, ...about }: Omit<Launch, 'v' | 'contract'> & { readonly contract: string; readonly env: Env },
): void {
  const launch: Launch = { v: 1, ...about, contract: hashOf(contract) }
  const signature = sign(purpose, signedOf(store, launch), env)
  const [launchPath, contractPath] = [launchFile(store, about.id), contractFile(store, about.id)]
  writeWhole(contractPath, `${contractPath}.draft`, contract)
  writeWhole(launchPath, `${launchPath}.draft`, `${JSON.stringify({ ...launch, signature })}\n`)
}

/** The orders and the contract of a session. Exits 5 when this machine did not write them, or not so. */
export function readLaunch(store: Store, id: string, env: Env): { launch: Launch; contract: Buffer } {
  const read = parseJson(readStored(launchFile(store, id)) ?? '')
  const launch = isLaunch(read) ? read : undefined
  const contract = readStoredBytes(contractFile(store, id))
  const signature = isPlainObject(read) ? read['signature'] : undefined
  const isOurs = launch !== undefined && isSignedHere(purpose, signedOf(store, launch), signature, env)
  if (isOurs && contract !== undefined && launch.id === id && hashOf(contract) === launch.contract) {
    return { launch, contract }
  }
  throw new Failure('conflict', `the orders of session ${id} were not written on this machine, or were changed`, {
    hint: 'scope spawn starts one of your own',
    retryable: false,
  })
}

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
