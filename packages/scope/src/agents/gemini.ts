import type { Access, Adapter, AgentAnswer } from '../adapter.ts'
import { fitting, readJsonValues } from '../json-values.ts'
import { type Result, resultSchema } from './gemini-schema.ts'

const permissions: Readonly<Record<Access, readonly string[]>> = {
  read: ['--approval-mode=plan'],
  write: ['--approval-mode=auto_edit', '--allowed-tools=run_shell_command'],
  full: ['--approval-mode=yolo'],
}

/** Gemini CLI, `gemini` with its prompt on stdin. A folder it was never asked to trust would lower what it may do. */
export const gemini: Adapter = {
  name: 'gemini',
  isAgent: true,
  resumes: true,
  tellsTokens: true,
  command: ({ access, model, resume }) => [
    ...['gemini', '--output-format=json', '--skip-trust', ...permissions[access]],
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
  ],
  interactive: {
    command: ({ access, model, resume }) => [
      ...['gemini', '--skip-trust', ...permissions[access]],
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ],
    prompt: (text) => [`--prompt-interactive=${text}`],
  },
  read: ({ stdout, stderr }) => {
    const [result] = [stdout, stderr].flatMap((text) => fitting(readJsonValues(text), resultSchema))
    return result && answerOf(result)
  },
}

function answerOf({ session_id, response, error, stats }: Result): AgentAnswer {
  const counts = Object.values(stats?.models ?? {}).map((model) => model.tokens)
  const sum = (of: (count: (typeof counts)[number]) => number) => counts.reduce((total, count) => total + of(count), 0)
  const status = Number(error?.code)
  return {
    text: response ?? '',
    session: session_id,
    costUsd: null,
    usage: stats && {
      input_tokens: sum(({ prompt }) => prompt),
      output_tokens: sum(({ candidates, thoughts }) => candidates + thoughts),
      cached_tokens: sum(({ cached }) => cached),
    },
    trouble: error ? { message: error.message, status: Number.isInteger(status) ? status : undefined } : null,
  }
}
