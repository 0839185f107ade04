import { type HookEntry, hookCommand, hookTable, type SettingsHost } from './hook-table.ts'

/** What a host runs for an event: `timeout` in seconds, or milliseconds for Gemini CLI. */
export type HookGroup = {
  readonly matcher?: string
  readonly hooks: readonly { readonly type: 'command'; readonly command: string; readonly timeout: number }[]
}

/** A host's hooks as its settings have them, by the host's own names of events. */
export function hookSettings(host: SettingsHost): Readonly<Record<string, HookGroup>> {
  return Object.fromEntries(hookTable[host].map((entry) => [entry.name, hookGroup(host, entry)]))
}

function hookGroup(host: SettingsHost, { event, matcher, seconds }: HookEntry): HookGroup {
  const timeout = host === 'gemini' ? seconds * 1000 : seconds
  const hooks = [{ type: 'command' as const, command: hookCommand(host, event), timeout }]
  return matcher === undefined ? { hooks } : { matcher, hooks }
}
