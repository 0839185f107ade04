// The whole judgement of a tool call, loaded only for those that may matter.
import type { HostEvent } from '../hook/host-event.ts'
import { nothingFound, strictest, type Verdict } from './finding.ts'
import { judgeCommand } from './judge-command.ts'
import { judgeRole } from './role-tools.ts'
import type { Scene } from './scene.ts'
import { judgeWrites } from './writes.ts'

type Use = Pick<Extract<HostEvent, { event: 'pre-tool' }>, 'tool' | 'agentType'>

/** What the rules say to a tool call. */
export function weighTool({ tool, agentType }: Use, scene: Scene): Verdict {
  const isCommand = tool.kind === 'shell' && tool.command !== undefined
  const byCommand = isCommand ? judgeCommand(tool.command, scene, agentType).verdict : nothingFound
  return strictest([...judgeWrites(tool.paths, scene), ...judgeRole(agentType, tool, scene), byCommand])
}
