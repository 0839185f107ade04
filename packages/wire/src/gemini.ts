// Gemini CLI. Its events have other names (AfterAgent, BeforeTool, PreCompress); it takes one JSON object or nothing.
import type { Adapter } from './adapter.ts'
import { orNothing, said, warned } from './claude.ts'
import type { Answer } from './host-event.ts'
import { textIn } from './host-fields.ts'
import { toolUse } from './tool-use.ts'

const tools = {
  shells: ['run_shell_command'],
  writers: ['write_file', 'replace', 'edit'],
}

export const gemini: Adapter = {
  tool: (fields) => toolUse(fields, tools),
  lastMessage: (fields) => textIn(fields, 'prompt_response'),
  // It always sends the last message; its transcript is one document, not lines.
  entry: () => undefined,
  render: (answer, event) => orNothing(saidToGemini(answer, event)),
}

/** It has one word for what shall not be, and cannot ask: what a person would have to allow is denied. */
function saidToGemini(answer: Answer, event: string): Record<string, unknown> {
  return 'reason' in answer ? { decision: 'deny', reason: answer.reason, ...warned(answer) } : said(answer, event)
}
