import type { Adapter, EventName } from './adapter.ts'
import type { Host } from './host.ts'
import type { HostEvent } from './host-event.ts'
import { type Fields, listIn, pathIn, textIn, wordIn } from './host-fields.ts'
import { readFailure } from './read-failure.ts'
import { readNeed } from './read-need.ts'

/**
 * The event in what the host has sent, as far as it can be read: a session without an id is one that nobody knows.
 * `folder` is the current one, where the host names none.
 */
export function readEvent(
  event: EventName,
  { host, fields, folder, adapter }: { host: Host; fields: Fields; folder: string; adapter: Adapter },
): HostEvent {
  const common = {
    host,
    session: textIn(fields, 'session_id') ?? '',
    cwd: pathIn(fields, 'cwd') ?? folder,
    agentId: textIn(fields, 'agent_id'),
    agentType: textIn(fields, 'agent_type'),
    transcript: pathIn(fields, event === 'subagent-stop' ? 'agent_transcript_path' : 'transcript_path'),
  }
  const continued = fields['stop_hook_active'] === true
  switch (event) {
    case 'session-start':
      return { ...common, event, source: wordIn(fields, 'source', ['resume', 'clear', 'compact']) ?? 'startup' }
    case 'session-end':
      return { ...common, event, isCleared: textIn(fields, 'reason') === 'clear' }
    case 'pre-tool':
      return { ...common, event, tool: adapter.tool(fields) }
    case 'post-tool':
      return { ...common, event, tool: adapter.tool(fields), result: JSON.stringify(fields['tool_response'] ?? '') }
    case 'prompt':
      return { ...common, event, prompt: textIn(fields, 'prompt') ?? '' }
    case 'notice': {
      const hasTool = textIn(fields, 'tool_name') !== undefined || textIn(fields, 'tool') !== undefined
      return { ...common, event, tool: hasTool ? adapter.tool(fields) : undefined, needs: readNeed(fields) }
    }
    case 'stop':
      return { ...common, event, lastMessage: adapter.lastMessage(fields), continued, background: isBusy(fields) }
    case 'subagent-stop':
      return { ...common, event, lastMessage: adapter.lastMessage(fields), continued }
    case 'pre-compact':
      return { ...common, event, trigger: wordIn(fields, 'trigger', ['manual']) ?? 'auto' }
    case 'stop-failure':
      return { ...common, event, ...readFailure(fields) }
  }
}

/** Whether the agent waits for work of its own: sent on now, it could only ask whether that is done. */
function isBusy(fields: Fields): boolean {
  return listIn(fields, 'background_tasks').some((task) => (textIn(task, 'status') ?? 'running') === 'running')
}
