// What a tool wrote itself, told from what anybody could have written: a signature with the machine's key.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readMachineKey } from './machine-key.ts'
import type { Env } from './state-folder.ts'

/** What is signed: a list, so that no two different ones read the same. */
export type Signed = readonly (string | number | boolean | null)[]

/**
 * A signature as hexadecimal digits; undefined where this machine keeps no key. `purpose` says what it is for: one for a
 * purpose is none for another.
 */
export function signatureOf(purpose: string, signed: Signed, env: Env): string | undefined {
  const key = readMachineKey(env, randomBytes)
  return key === undefined ? undefined : hmac(key, purpose, signed)
}

/** Whether this machine, for this user, made that signature for exactly this. */
export function isSignedHere(purpose: string, signed: Signed, signature: unknown, env: Env): boolean {
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return false
  const expected = signatureOf(purpose, signed, env)
  return expected !== undefined && timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
}

function hmac(key: string, purpose: string, signed: Signed): string {
  const text = JSON.stringify(['switchyard', 1, purpose, ...signed])
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('hex')
}
