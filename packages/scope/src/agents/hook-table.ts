// The hooks of scope: for which events a host calls it, what the host calls them, and how long it lets each run.
import type { HookEntry, HookTable } from '@switchyard/wire/settings/hook-entry'

const quickSeconds = 10
/** The last message may have to be looked for in a transcript that is still being written. */
const stopSeconds = 20
/** Hosts give the end of a session a second or three, whatever is declared. */
const endSeconds = 3

const claude: readonly HookEntry[] = [
  { event: 'session-start', name: 'SessionStart', seconds: quickSeconds },
  { event: 'prompt', name: 'UserPromptSubmit', seconds: quickSeconds },
  { event: 'pre-tool', name: 'PreToolUse', seconds: quickSeconds },
  { event: 'post-tool', name: 'PostToolUse', seconds: quickSeconds },
  { event: 'post-tool', name: 'PostToolUseFailure', seconds: quickSeconds },
  { event: 'notice', name: 'PermissionRequest', seconds: quickSeconds },
  { event: 'notice', name: 'Notification', seconds: quickSeconds },
  { event: 'pre-compact', name: 'PreCompact', seconds: quickSeconds },
  { event: 'session-end', name: 'SessionEnd', seconds: endSeconds },
  { event: 'stop', name: 'Stop', seconds: stopSeconds },
  { event: 'stop-failure', name: 'StopFailure', seconds: quickSeconds },
]

/** Codex has neither notices nor news of what failed. */
const unknownToCodex = ['PostToolUseFailure', 'Notification', 'StopFailure']

export const hookTable: HookTable = {
  claude,
  codex: claude.filter(({ name }) => !unknownToCodex.includes(name)),
  gemini: [
    { event: 'session-start', name: 'SessionStart', seconds: quickSeconds },
    { event: 'prompt', name: 'BeforeAgent', seconds: quickSeconds },
    { event: 'pre-tool', name: 'BeforeTool', seconds: quickSeconds },
    { event: 'post-tool', name: 'AfterTool', seconds: quickSeconds },
    { event: 'notice', name: 'Notification', seconds: quickSeconds },
    { event: 'pre-compact', name: 'PreCompress', seconds: quickSeconds },
    { event: 'session-end', name: 'SessionEnd', seconds: endSeconds },
    { event: 'stop', name: 'AfterAgent', seconds: stopSeconds },
  ],
}
