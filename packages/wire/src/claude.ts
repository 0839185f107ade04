// Claude Code. It takes nothing at all, or one JSON object; either with exit 0.
import type { Adapter, TranscriptEntry } from './adapter.ts'
import type { Answer } from './host-event.ts'
import { type Fields, fieldsOf, listIn, textIn } from './host-fields.ts'
import { toolUse } from './tool-use.ts'

const tools = {
  shells: ['Bash', 'PowerShell'],
  writers: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Update'],
}

export const claude: Adapter = {
  tool: (fields) => toolUse(fields, tools),
  lastMessage: (fields) => textIn(fields, 'last_assistant_message'),
  entry: entryOf,
  render: (answer, event, fields = {}) => orNothing(said(isAsked(fields) ? answer : withoutAsking(answer), event)),
}

/** What a person would have to allow is denied. */
export const withoutAsking = (answer: Answer): Answer => (answer.do === 'ask' ? { ...answer, do: 'deny' } : answer)

/** A line of words without quotes, variables, redirections or names that begin with a dot. */
const plainLine = /^(?!.*(?:^|[ /=:])\.)[\w ./:@=,+%-]+$/

/**
 * Whether a person is asked. A client that asks for nothing lets a call run all the same where its own rules would have
 * asked as well: about `.claude`, `.git`, the start files of a shell (seen in 2.1.330). It asks about plain words.
 */
function isAsked(fields: Fields): boolean {
  if (textIn(fields, 'permission_mode') !== 'bypassPermissions') return true
  return (
    textIn(fields, 'tool_name') === 'Bash' && plainLine.test(textIn(fieldsOf(fields['tool_input']), 'command') ?? '')
  )
}

/** The answer in its words, with what a person at the terminal is told. Codex and Gemini CLI share most of them. */
export function said(answer: Answer, event: string): Record<string, unknown> {
  return { ...decided(answer, event), ...warned(answer) }
}

/** What a person at the terminal is told. */
export function warned({ warning }: Answer): { systemMessage?: string } {
  return warning === undefined ? {} : { systemMessage: warning }
}

/** One line of JSON, or nothing at all when nothing is said. */
export function orNothing(spoken: Record<string, unknown>): string {
  return Object.keys(spoken).length === 0 ? '' : `${JSON.stringify(spoken)}\n`
}

function decided(answer: Answer, event: string): Record<string, unknown> {
  switch (answer.do) {
    case 'allow':
      return {}
    case 'block':
      return { decision: 'block', reason: answer.reason }
    case 'deny':
    case 'ask':
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: answer.do,
          permissionDecisionReason: answer.reason,
        },
      }
    case 'context':
      return event === 'session-start'
        ? { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: answer.text } }
        : {}
  }
}

/** One block of a message is one entry; what a subagent or the client itself adds is marked. */
function entryOf(line: Fields): TranscriptEntry | undefined {
  const type = textIn(line, 'type')
  if ((type !== 'assistant' && type !== 'user') || line['isSidechain'] === true) return undefined
  if (type === 'user') return { of: 'other' }
  const message = fieldsOf(line['message'])
  const blocks = listIn(message, 'content')
  const texts = blocks.flatMap((block) => (block['type'] === 'text' ? (textIn(block, 'text') ?? []) : []))
  if (texts.length > 0) return { of: 'words', text: texts.join('\n'), message: textIn(message, 'id') ?? '' }
  return blocks.some((block) => block['type'] === 'tool_use') ? { of: 'other' } : undefined
}
