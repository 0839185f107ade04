import { Failure } from '@switchyard/ground/failure'
import type { EventName } from './adapter.ts'
import { type Fields, textIn } from './host-fields.ts'

/** What hosts call each event, beside our own name for it. */
const hostNames: Readonly<Record<EventName, readonly string[]>> = {
  'pre-tool': ['PreToolUse', 'BeforeTool'],
  'post-tool': ['PostToolUse', 'PostToolUseFailure', 'AfterTool'],
  prompt: ['UserPromptSubmit', 'BeforeAgent'],
  notice: ['PermissionRequest', 'Notification', 'Elicitation'],
  stop: ['Stop', 'AfterAgent'],
  'subagent-stop': ['SubagentStop'],
  'pre-compact': ['PreCompact', 'PreCompress'],
  'session-start': ['SessionStart'],
  'session-end': ['SessionEnd'],
  'stop-failure': ['StopFailure'],
}
const events = Object.keys(hostNames).filter(isEventName)

/** The event of that name: ours, as commands in settings of earlier versions have it. Failure `usage` for any other. */
export function eventNamed(name: string): EventName {
  if (isEventName(name)) return name
  throw new Failure('usage', `expected ${events.join(', ')}, got ${JSON.stringify(name)}`, {
    hint: 'or no word: the JSON names the event',
  })
}

/** The event that the host's JSON names. Failure `usage` when it names none, or one that nobody knows. */
export function eventIn(fields: Fields): EventName {
  const name = textIn(fields, 'hook_event_name') ?? textIn(fields, 'event')
  const event = events.find((one) => one === name || hostNames[one].includes(name ?? ''))
  if (event !== undefined) return event
  throw new Failure('usage', `expected the host's JSON to name an event, got ${JSON.stringify(name) ?? 'none'}`, {
    hint: 'this verb is for the hooks of an agent; loop install sets them up',
  })
}

/** Whether it is our own name of an event. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(hostNames, name)
}
