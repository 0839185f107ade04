import type { Host } from '../host.ts'

/** The hooks of one tool in the settings of hosts: how they are called, and known again. */
export type OwnHooks = {
  /** Its copy of a file that it changed ends in this name, and its plugin for opencode begins with it. */
  readonly tool: string
  /** The command line that a host runs at each event, which it names on stdin. */
  readonly command: (host: Host) => string
  /** Whether a command line is the tool's, of this version or an earlier one. */
  readonly isOwn: (command: string) => boolean
  /** A remedy for settings that cannot be changed. */
  readonly otherwise: (host: Host) => string
}

/** Whether an entry of a host's settings is a hook of the tool. */
export function isOwnHook(hook: unknown, { isOwn }: OwnHooks): boolean {
  if (typeof hook !== 'object' || hook === null || !('command' in hook)) return false
  return typeof hook.command === 'string' && isOwn(hook.command)
}
