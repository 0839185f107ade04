/** A tool that an agent is about to use. `paths` are those it would write, as its host gave them. */
export type ToolUse = {
  readonly name: string
  readonly kind: 'shell' | 'write' | 'other'
  readonly command: string | undefined
  readonly paths: readonly string[]
  /** Why the call cannot be judged as its host sent it; undefined where it can. */
  readonly unread?: string | undefined
  /** Where the call says that it works, as its host gave it; undefined where the session stands. */
  readonly folder?: string | undefined
}

/** Whether a tool's command is a text of PowerShell: Claude Code's, by its name. */
export const isPowerShell = ({ name }: Pick<ToolUse, 'name'>) => name === 'PowerShell'
