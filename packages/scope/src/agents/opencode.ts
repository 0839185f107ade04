import type { Access, Adapter, AgentAnswer } from '../adapter.ts'
import { fitting, readJsonValues } from '../json-values.ts'
import { type Line, lineSchema } from './opencode-schema.ts'

/** What opencode is not told it may do, its user's settings decide; what they would ask for is refused. */
const permissions: Readonly<Record<Access, { flags: readonly string[]; edit: string; bash: string }>> = {
  // Its agent that plans edits nothing, but runs any command.
  read: { flags: ['--agent=plan'], edit: 'deny', bash: 'deny' },
  write: { flags: [], edit: 'allow', bash: 'allow' },
  full: { flags: ['--auto'], edit: 'allow', bash: 'allow' },
}

/** opencode, `opencode run`. */
export const opencode: Adapter = {
  name: 'opencode',
  isAgent: true,
  resumes: true,
  tellsCost: true,
  tellsTokens: true,
  command: ({ access, model, resume }) => [
    ...['opencode', 'run', '--format=json', ...permissions[access].flags],
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(resume === undefined ? [] : [`--session=${resume}`]),
  ],
  interactive: {
    command: ({ access, model, resume }) => [
      ...['opencode', ...permissions[access].flags],
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(resume === undefined ? [] : [`--session=${resume}`]),
    ],
    prompt: (text) => [`--prompt=${text}`],
  },
  env: ({ access }) => {
    const { edit, bash } = permissions[access]
    return { OPENCODE_PERMISSION: JSON.stringify({ edit, bash }) }
  },
  read: ({ stdout }) => {
    const lines = fitting(readJsonValues(stdout), lineSchema)
    return lines.length === 0 ? undefined : answerOf(lines)
  },
  spentIn: (value) => {
    const { data } = lineSchema.safeParse(value)
    if (data?.type !== 'step_finish') return undefined
    const { usage, costUsd } = answerOf([data])
    return { usage, costUsd }
  },
}

function answerOf(lines: readonly Line[]): AgentAnswer {
  const steps = lines.flatMap(({ type, part }) => (type === 'step_finish' && part ? [part] : []))
  const counts = steps.flatMap((step) => step.tokens ?? [])
  const sum = (of: (count: (typeof counts)[number]) => number) => counts.reduce((total, count) => total + of(count), 0)
  const failed = lines.findLast(({ type }) => type === 'error')
  const { name, data } = failed?.error ?? { name: 'error', data: undefined }
  return {
    text: lines.findLast(({ type }) => type === 'text')?.part?.text ?? '',
    session: lines[0]?.sessionID ?? null,
    costUsd: steps.length === 0 ? null : steps.reduce((total, { cost }) => total + cost, 0),
    usage:
      counts.length === 0
        ? null
        : {
            input_tokens: sum(({ input, cache }) => input + cache.read + cache.write),
            output_tokens: sum(({ output, reasoning }) => output + reasoning),
            cached_tokens: sum(({ cache }) => cache.read),
          },
    trouble: failed ? { message: data?.message ?? name, status: data?.statusCode } : null,
  }
}
