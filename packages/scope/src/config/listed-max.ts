import { readIfThere } from '@switchyard/ground/disk'
import { configPath } from './config-path.ts'
import { limitOf } from './setting.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * How many sessions that are over are listed. Who has no settings waits for nothing that reads them. Exits 2 where the
 * settings are none.
 */
export async function listedMax(env: Env): Promise<number> {
  if (readIfThere(configPath(env)) === undefined) return limitOf({}, 'max_completed_sessions')
  const { readConfig } = await import('./config-file.ts')
  return limitOf(readConfig(env), 'max_completed_sessions')
}
