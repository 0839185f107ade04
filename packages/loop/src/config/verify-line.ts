import type { Config } from './config-schema.ts'

/** The one line of shell that `verify` of the settings means: all of its lines, in order, to the first that fails. */
export function verifyLine(verify: NonNullable<Config['verify']>): string {
  if (typeof verify === 'string') return verify
  return verify.length === 1 ? verify.join('') : verify.map((line) => `(${line}\n)`).join(' && ')
}
