// Codex. It refuses fields it does not know, and versions of it refuse silence: with nothing to say it is told {}.
import type { Adapter, TranscriptEntry } from './adapter.ts'
import { said, withoutAsking } from './claude.ts'
import { type Fields, fieldsOf, listIn, textIn } from './host-fields.ts'
import { toolUse } from './tool-use.ts'

const tools = {
  shells: ['Bash', 'shell', 'shell_command', 'exec_command', 'unified_exec', 'local_shell'],
  writers: ['Edit', 'Write'],
  patchers: ['apply_patch'],
}

export const codex: Adapter = {
  tool: (fields) => toolUse(fields, tools),
  lastMessage: (fields) => textIn(fields, 'last_assistant_message'),
  entry: entryOf,
  // It cannot ask.
  render: (answer, event) => `${JSON.stringify(said(withoutAsking(answer), event))}\n`,
}

function entryOf(line: Fields): TranscriptEntry | undefined {
  if (textIn(line, 'type') !== 'response_item') return undefined
  const item = fieldsOf(line['payload'])
  if (textIn(item, 'type') === 'reasoning') return undefined
  if (textIn(item, 'type') !== 'message' || textIn(item, 'role') !== 'assistant') return { of: 'other' }
  const text = listIn(item, 'content')
    .flatMap((part) => textIn(part, 'text') ?? [])
    .join('\n')
  return { of: 'words', text, message: textIn(item, 'id') ?? '' }
}
