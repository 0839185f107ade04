// Gemini CLI. Its events have other names (AfterAgent, BeforeTool, PreCompress); it takes one JSON object or nothing.
import type { Adapter } from './adapter.ts'
import { warned } from './claude.ts'
import type { Answer } from './host-event.ts'
import { textIn } from './host-fields.ts'
import { toolUse } from './tool-use.ts'

const tools = {
  shells: ['run_shell_command'],
  writers: { write_file: ['file_path'], replace: ['file_path'] },
}

export const gemini: Adapter = {
  tool: (fields) => toolUse(fields, tools),
  lastMessage: (fields) => textIn(fields, 'prompt_response'),
  // It always sends the last message; its transcript is one document, not lines.
  entry: () => undefined,
  render(answer, event) {
    const spoken = { ...said(answer, event), ...warned(answer) }
    return Object.keys(spoken).length === 0 ? '' : `${JSON.stringify(spoken)}\n`
  },
}

/** It cannot ask: what a person would have to allow is denied. */
function said(answer: Answer, event: string): Record<string, unknown> {
  switch (answer.do) {
    case 'allow':
      return {}
    case 'block':
    case 'deny':
    case 'ask':
      return { decision: 'deny', reason: answer.reason }
    case 'context':
      return event === 'session-start'
        ? { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: answer.text } }
        : {}
  }
}
