import type { Config } from './config-schema.ts'
import { requireTrusted } from './read-config.ts'
import type { ProjectConfig } from './withhold.ts'

/**
 * The line of shell that verifies the work: the one that is given, else that of the settings. Failure `conflict` when
 * those are needed and nobody has trusted them; undefined where there is none.
 */
export function wantedVerify(given: string | undefined, config: ProjectConfig): string | undefined {
  if (given !== undefined) return given
  requireTrusted(config, 'verify')
  return config.verify === undefined ? undefined : lineOf(config.verify)
}

/** All of its lines as one of shell, in order, to the first that fails. */
function lineOf(verify: NonNullable<Config['verify']>): string {
  if (typeof verify === 'string') return verify
  return verify.length === 1 ? verify.join('') : verify.map((line) => `(${line}\n)`).join(' && ')
}
