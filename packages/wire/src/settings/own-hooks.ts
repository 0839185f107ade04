import type { Host } from '../host.ts'
import type { HookTable } from './hook-entry.ts'

/** The hooks of one tool in the settings of hosts: how they are called, and known again. */
export type OwnHooks = {
  /** Its copy of a file that it changed ends in this name, and its plugin for opencode begins with it. */
  readonly tool: string
  readonly table: HookTable
  /** Variables that Claude Code needs for them, which its settings give it where they say nothing else. */
  readonly env: Readonly<Record<string, string>>
  /** The command line that a host runs at each event, which it names on stdin. */
  readonly command: (host: Host) => string
  /** Whether a command line is the tool's, of this version or an earlier one. */
  readonly isOwn: (command: string) => boolean
  /** What to do about settings that cannot be changed. */
  readonly otherwise: (host: Host) => string
}

/** Whether an entry of a host's settings is a hook of the tool. */
export function isOwnHook(hook: unknown, { isOwn }: OwnHooks): boolean {
  if (typeof hook !== 'object' || hook === null || !('command' in hook)) return false
  return typeof hook.command === 'string' && isOwn(hook.command)
}
