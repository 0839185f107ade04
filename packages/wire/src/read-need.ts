import { type Fields, textIn } from './host-fields.ts'

/** Kinds of notices that a person has to answer, as hosts call them. Others tell of a log-in, or of an idle agent. */
const asking = /^(?:permission_prompt|elicitation_dialog|ToolPermission)$/

/** Why a host waits for a person, in its words; undefined when a notice is only news. */
export function readNeed(fields: Fields): string | undefined {
  const kind = textIn(fields, 'notification_type')
  const message = textIn(fields, 'message')
  // It asks its rules alone, and denies what they do not allow; this hook is called all the same.
  if (textIn(fields, 'permission_mode') === 'dontAsk') return undefined
  if (textIn(fields, 'hook_event_name') !== 'Notification') return message ?? 'a permission'
  // Earlier versions of Claude Code name no kind.
  const isAsking = kind === undefined ? /permission|approv/i.test(message ?? '') : asking.test(kind)
  return isAsking ? (message ?? 'a permission') : undefined
}
