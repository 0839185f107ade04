// opencode, through the plugin that `loop install` gives it: the plugin sends what it learns and obeys the answer. The
// protocol is ours, see docs/formats/hook.md.
import type { Adapter } from './adapter.ts'
import { textIn } from './host-fields.ts'
import { toolOf } from './tool-use.ts'

const tools = {
  shells: ['bash'],
  writers: ['write', 'edit', 'multiedit'],
  patchers: ['patch', 'apply_patch'],
}

export const opencode: Adapter = {
  tool: (fields) => toolOf(textIn(fields, 'tool'), fields['args'], tools),
  lastMessage: (fields) => textIn(fields, 'last_message'),
  entry: () => undefined,
  render: (answer) => `${JSON.stringify(answer)}\n`,
}
