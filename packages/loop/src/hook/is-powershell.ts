/** Whether a tool's command is a text of PowerShell: Claude Code's, by its name. */
export const isPowerShell = (tool: string) => tool === 'PowerShell'
