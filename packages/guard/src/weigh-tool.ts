// The whole judgement of a tool call, loaded only for those that may matter.
import { judgeCommand } from './judge-command.ts'
import { verdictOf } from './policy.ts'
import { roleOf } from './role.ts'
import { metered } from './scene/metered.ts'
import { nowhere } from './scene/nowhere.ts'
import { placeOf } from './scene/places.ts'
import type { Scene } from './scene/scene.ts'
import { isKnown } from './shell/command.ts'
import { pathFrom } from './shell/path-from.ts'
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
 * Judges a little of everything: the build keeps the code that this has compiled.
 *
 * @public
 */
export function warmUp(): void {
  const scene = nowhere()
  for (const command of [
    'git push -f origin main && sudo rm -rf "$X" /',
    "cat <<'E' | sh -c 'ls $(pwd)' > a.txt\nx\nE",
    'for f in *.ts; do echo "$f" | grep -q {a,b}; done',
  ]) {
    weighTool({ name: 'Bash', kind: 'shell', command, paths: [] }, undefined, scene)
  }
}

/** Whether a read-only agent is about to write with a tool made for that; its own notes are temporary files. */
function judgeRole(agentType: string | undefined, tool: ToolUse, scene: Scene): readonly Verdict[] {
  if (roleOf(agentType) === undefined || tool.kind !== 'write') return []
  const paths = tool.paths.map((path) => pathFrom(scene.cwd, path))
  const isNotes = paths.length > 0 && paths.every((path) => isKnown(path) && placeOf(path, scene) === 'temporary')
  return isNotes ? [] : [verdictOf({ rule: 'role.read-only', at: tool.name }, scene)]
}
