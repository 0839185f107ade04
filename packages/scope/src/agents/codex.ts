import type { Access, Adapter, AgentAnswer } from '../adapter.ts'
import { fitting, readJsonValues } from '../json-values.ts'
import { type Line, lineSchema } from './codex-schema.ts'

/** As settings rather than as flags: `codex exec resume` has no flag for the sandbox. */
const mode = (name: string) => ['-c', `sandbox_mode="${name}"`]

const permissions: Readonly<Record<Access, readonly string[]>> = {
  read: mode('read-only'),
  write: mode('workspace-write'),
  full: ['--dangerously-bypass-approvals-and-sandbox'],
}

/** Codex: `codex exec`, and `codex` in a terminal. */
export const codex: Adapter = {
  name: 'codex',
  isAgent: true,
  resumes: true,
  tellsTokens: true,
  command: ({ access, model, resume, isConfined }) => [
    ...['codex', 'exec', ...(resume === undefined ? [] : ['resume'])],
    ...['--json', '--skip-git-repo-check', ...permissionsOf(access, isConfined)],
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(resume === undefined ? [] : [resume]),
    '-',
  ],
  interactive: {
    hooks: 'codex',
    command: ({ access, model, resume, isConfined }) => [
      ...['codex', ...(resume === undefined ? [] : ['resume']), ...permissionsOf(access, isConfined), ...alone],
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [resume]),
    ],
    prompt: (text) => ['--', text],
  },
  read: ({ stdout }) => {
    const lines = fitting(readJsonValues(stdout), lineSchema)
    return lines.length === 0 ? undefined : answerOf(lines)
  },
  conversationIn: (value) => {
    const { data } = lineSchema.safeParse(value)
    return data?.type === 'thread.started' ? data.thread_id : undefined
  },
}

/** Nobody is there to say whether it may update itself, and a server that it left would end with the session. */
const alone = ['-c', 'check_for_update_on_startup=false', '-c', 'features.daemon_auto_start=false']

/** Ours does the same around it, and the kernel lets root make no second one within. */
const permissionsOf = (access: Access, isConfined: boolean) =>
  access === 'write' && isConfined ? mode('danger-full-access') : permissions[access]

function answerOf(lines: readonly Line[]): AgentAnswer {
  const answer: AgentAnswer = { text: '', session: null, usage: null, costUsd: null, trouble: null }
  // What is told as an error may be overcome, a lost connection for one: it counts only when the turn is not completed.
  let hint: AgentAnswer['trouble'] = null
  for (const line of lines) {
    if (line.type === 'thread.started') answer.session = line.thread_id
    else if (line.type === 'item.completed') answer.text = line.item.text
    else if (line.type === 'turn.failed') answer.trouble = { message: line.error.message || 'the turn failed' }
    else if (line.type === 'error') hint = { message: line.message }
    else {
      hint = null
      answer.usage = line.usage && {
        input_tokens: line.usage.input_tokens,
        output_tokens: line.usage.output_tokens,
        cached_tokens: line.usage.cached_input_tokens,
      }
    }
  }
  return { ...answer, trouble: answer.trouble ?? hint }
}
