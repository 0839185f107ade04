import { verdictOf } from './policy.ts'
import { roleOf } from './role.ts'
import { placeOf } from './scene/places.ts'
import type { Scene } from './scene/scene.ts'
import { isKnown } from './shell/command.ts'
import { pathFrom } from './shell/path-from.ts'
import type { ToolUse } from './tool-use.ts'
import type { Verdict } from './verdict/verdict.ts'

/** Whether a read-only agent is about to write with a tool made for that; its own notes are temporary files. */
export function judgeRole(agentType: string | undefined, tool: ToolUse, scene: Scene): readonly Verdict[] {
  if (roleOf(agentType) === undefined || tool.kind !== 'write') return []
  const paths = tool.paths.map((path) => pathFrom(scene.cwd, path))
  const isNotes = paths.length > 0 && paths.every((path) => isKnown(path) && placeOf(path, scene) === 'temporary')
  return isNotes ? [] : [verdictOf({ rule: 'role.read-only', at: tool.name }, scene)]
}
