// The whole judgement of a tool call, loaded only for those that may matter.

import { judgeCommand } from './judge-command.ts'
import { judgeRole } from './role-tools.ts'
import { metered } from './scene/metered.ts'
import { readScene, type Scene } from './scene/scene.ts'
import { fromPowerShell } from './shell/windows-text.ts'
import { isPowerShell, type ToolUse } from './tool-use.ts'
import { nothingFound, strictest } from './verdict/finding.ts'
import type { Verdict } from './verdict/verdict.ts'
import { judgeWrites } from './writes.ts'

/** What the rules say to a tool call. */
export function weighTool(tool: ToolUse, agentType: string | undefined, here: Scene): Verdict {
  const scene = metered(here)
  const isCommand = tool.kind === 'shell' && tool.command !== undefined
  const byCommand = isCommand ? judgeCommand(textOf(tool, tool.command), here, agentType).verdict : nothingFound
  return strictest([...judgeWrites(tool.paths, scene), ...judgeRole(agentType, tool, scene), byCommand])
}

/** The text of a command as a POSIX shell would have it. */
const textOf = (tool: ToolUse, command: string) => (isPowerShell(tool) ? fromPowerShell(command) : command)

/**
 * Judges a little of everything in a world with nothing in it: the build keeps the code that this has compiled.
 *
 * @public
 */
export function warmUp(): void {
  const nothing = () => undefined
  const world = {
    env: {},
    home: '/home/nobody',
    read: nothing,
    scriptAt: nothing,
    configIn: nothing,
    trusts: () => false,
    ownFolders: () => [],
    realPath: nothing,
    namesIn: () => [],
    repositoryAt: nothing,
    clock: () => 0,
    spend: nothing,
  }
  const scene = readScene('/nowhere', world)
  for (const command of [
    'git push -f origin main && sudo rm -rf "$X" /',
    "cat <<'E' | sh -c 'ls $(pwd)' > a.txt\nx\nE",
    'for f in *.ts; do echo "$f" | grep -q {a,b}; done',
  ]) {
    weighTool({ name: 'Bash', kind: 'shell', command, paths: [] }, undefined, scene)
  }
}
