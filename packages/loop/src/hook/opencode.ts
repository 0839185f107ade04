// opencode, through the plugin that `loop install` gives it: the plugin sends what it learns and obeys the answer. The
// protocol is ours, see docs/formats/hook.md.
import type { Adapter } from './adapter.ts'
import type { ToolUse } from './host-event.ts'
import { type Fields, fieldsOf, textIn } from './host-fields.ts'
import { commandIn, pathsOfPatch } from './tool-use.ts'

const pathFields = ['filePath', 'file_path', 'path']
const writers = ['write', 'edit', 'multiedit']
const patchers = ['patch', 'apply_patch']

export const opencode: Adapter = {
  tool: toolOf,
  lastMessage: (fields) => textIn(fields, 'last_message'),
  entry: () => undefined,
  render: (answer) => `${JSON.stringify(answer)}\n`,
}

function toolOf(fields: Fields): ToolUse {
  const name = textIn(fields, 'tool') ?? ''
  const input = fieldsOf(fields['args'])
  if (name === 'bash') return { name, kind: 'shell', command: commandIn(input), paths: [] }
  if (patchers.includes(name)) {
    const patch = textIn(input, 'patchText') ?? textIn(input, 'patch') ?? ''
    return { name, kind: 'write', command: undefined, paths: pathsOfPatch(patch) }
  }
  if (!writers.includes(name)) return { name, kind: 'other', command: undefined, paths: [] }
  return { name, kind: 'write', command: undefined, paths: pathFields.flatMap((field) => textIn(input, field) ?? []) }
}
