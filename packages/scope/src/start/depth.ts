import type { Config } from '../config/config-schema.ts'
import { limitOf } from '../config/setting.ts'

/** How deep a session may stand: what is allowed only ever shrinks on the way down. */
export function depthMaxOf(
  asked: number | undefined,
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): number {
  const inherited = env['SCOPE_MAX_DEPTH']
  const all = [limitOf(config, 'max_depth'), asked, inherited === undefined ? undefined : Number(inherited)]
  return Math.min(...all.filter((max): max is number => Number.isInteger(max)))
}
