// The hooks of loop: for which events a host calls it, what the host calls them, and how long it lets each run.
import type { HookEntry, HookTable } from '@switchyard/wire/settings/hook-entry'
import { writing } from '@switchyard/wire/tool-use'

/** Who answers a stop may verify and land in that time. */
const stopSeconds = 600
const quickSeconds = 20
/** Hosts give the end of a session a second or three, whatever is declared; Codex warns of more. */
const endSeconds = 3

/** Its tools that run or write, and those of MCP servers. */
const claudeMatcher = 'Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|Update|mcp__.*'

const claude: readonly HookEntry[] = [
  { event: 'stop', name: 'Stop', seconds: stopSeconds },
  { event: 'pre-tool', name: 'PreToolUse', matcher: claudeMatcher, seconds: quickSeconds },
  { event: 'pre-compact', name: 'PreCompact', seconds: quickSeconds },
  { event: 'subagent-stop', name: 'SubagentStop', seconds: quickSeconds },
  { event: 'session-start', name: 'SessionStart', seconds: quickSeconds },
  { event: 'session-end', name: 'SessionEnd', seconds: endSeconds },
  { event: 'stop-failure', name: 'StopFailure', seconds: quickSeconds },
]

const codexMatcher = 'Bash|apply_patch|Edit|Write|mcp__.*'
/** It looks for this in the name of a tool, and names those of MCP servers in several ways. */
const geminiMatcher = `run_shell_command|write_file|replace|mcp_|__|${writing}`

const gemini: readonly HookEntry[] = [
  { event: 'stop', name: 'AfterAgent', seconds: stopSeconds },
  { event: 'pre-tool', name: 'BeforeTool', matcher: geminiMatcher, seconds: quickSeconds },
  { event: 'post-tool', name: 'AfterTool', matcher: 'run_shell_command', seconds: quickSeconds },
  { event: 'pre-compact', name: 'PreCompress', seconds: quickSeconds },
  { event: 'session-start', name: 'SessionStart', seconds: quickSeconds },
  { event: 'session-end', name: 'SessionEnd', seconds: endSeconds },
]

export const hookTable: HookTable = {
  claude,
  // It tells nobody of a turn that failed.
  codex: claude
    .filter(({ event }) => event !== 'stop-failure')
    .map((entry) => (entry.event === 'pre-tool' ? { ...entry, matcher: codexMatcher } : entry)),
  gemini,
}
