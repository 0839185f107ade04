import { homedir } from 'node:os'
import type { Context } from '@switchyard/cli-kit'
import { isAbsolute, join } from '@switchyard/ground/machine'

/** Where the settings of the user are: `$XDG_CONFIG_HOME/scope/config.json`, else below `~/.config`. */
export function configPath(env: Context['env']): string {
  const named = env['XDG_CONFIG_HOME']
  const home = named !== undefined && isAbsolute(named) ? named : join(env['HOME'] || homedir(), '.config')
  return join(home, 'scope', 'config.json')
}
