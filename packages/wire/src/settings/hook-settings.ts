import type { HookEntry, SettingsHost } from './hook-entry.ts'
import type { OwnHooks } from './own-hooks.ts'

/** What a host runs for an event: `timeout` in seconds, or milliseconds for Gemini CLI. */
export type HookGroup = {
  readonly matcher?: string
  readonly hooks: readonly { readonly type: 'command'; readonly command: string; readonly timeout: number }[]
}

/** A tool's hooks as the settings of a host have them, by the host's own names of events. */
export function hookSettings(host: SettingsHost, own: OwnHooks): Readonly<Record<string, HookGroup>> {
  return Object.fromEntries(own.table[host].map((entry) => [entry.name, hookGroup(host, entry, own)]))
}

function hookGroup(host: SettingsHost, { matcher, seconds }: HookEntry, own: OwnHooks): HookGroup {
  const timeout = host === 'gemini' ? seconds * 1000 : seconds
  const hooks = [{ type: 'command' as const, command: own.command(host), timeout }]
  return matcher === undefined ? { hooks } : { matcher, hooks }
}
