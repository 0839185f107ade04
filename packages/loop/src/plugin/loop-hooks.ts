import type { Host } from '@switchyard/wire/host'
import type { OwnHooks } from '@switchyard/wire/settings/own-hooks'
import { type Scope, settingsPath, type Where } from '@switchyard/wire/settings/settings-place'
import { hookTable } from './hook-table.ts'

/**
 * Claude Code ends a turn after so many stops in a row that a hook blocked, 8 when nothing is set: fewer than a loop
 * has iterations.
 */
export const capName = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'

/** The hooks of loop in the settings of hosts. */
export const loopHooks: OwnHooks = {
  tool: 'loop',
  table: hookTable,
  env: { [capName]: '1000' },
  command: (host) => `loop hook --host ${host}`,
  // Earlier versions named the event.
  isOwn: (command) => /^loop hook (?:[a-z-]+ )?--host [a-z]+$/.test(command),
  otherwise: (host) => `mend it, or use the plugin: loop plugin build --host ${host}`,
}

/** The file of a host in which the hooks of loop stand, or would. */
export const hooksPath = (host: Host, scope: Scope, { cwd, env }: Omit<Where, 'tool'>): string =>
  settingsPath(host, scope, { cwd, env, tool: 'loop' })
