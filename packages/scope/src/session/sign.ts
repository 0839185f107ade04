import { Failure } from '@switchyard/ground/failure'
import { type Signed, signatureOf } from '@switchyard/ground/signature'
import type { Env } from '@switchyard/ground/state-folder'

/** The signature of what only this machine may have written. Exits 1 where it has no place for a key. */
export function sign(purpose: string, signed: Signed, env: Env): string {
  const signature = signatureOf(purpose, signed, env)
  if (signature !== undefined) return signature
  throw new Failure('failed', 'expected a folder of your own for the key of this machine, there is none', {
    hint: 'set HOME or XDG_STATE_HOME to a folder that only you can write',
  })
}
