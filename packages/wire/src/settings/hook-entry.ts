import type { Host } from '../host.ts'
import type { HostEvent } from '../host-event.ts'

export type HookEvent = HostEvent['event']

/** One hook of a host, by the host's name for its event. `matcher`: the tools it is called for, when not for all. */
export type HookEntry = {
  readonly event: HookEvent
  readonly name: string
  readonly matcher?: string
  readonly seconds: number
}

/** Hosts whose hooks are settings; opencode's are calls of its plugin. */
export type SettingsHost = Exclude<Host, 'opencode'>

/** The hooks of a tool in each of them. */
export type HookTable = Readonly<Record<SettingsHost, readonly HookEntry[]>>
