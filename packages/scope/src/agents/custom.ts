// An agent that its user has described in the settings: how it is called, and where its answer is.
import { Failure } from '@switchyard/ground/failure'
import type { Adapter, AgentAnswer, Turn } from '../adapter.ts'
import type { CustomAgent } from '../config/config-schema.ts'
import { readJsonValues } from '../json-values.ts'
import { valueAt } from '../value-at.ts'
import { readPlain, refuse } from './plain.ts'

/** The adapter of such an agent. A prompt as an argument can be seen by other users of the machine. */
export function customAgent(name: string, about: CustomAgent): Adapter {
  const { command, prompt, resume, answer } = about
  const [program = ''] = command
  const wordsOf = (turn: Turn) => {
    if (about.model === undefined) refuse(name, turn, ['model'])
    if (resume === undefined) refuse(name, turn, ['resume'])
    const path = prompt === 'file' ? '/dev/stdin' : '{}'
    return [...filled(command, path), ...about.access[turn.access], ...asked(about, turn)]
  }
  return {
    ...{ name, program, isAgent: true, ...(resume === undefined ? {} : { resumes: true }) },
    ...(answer?.cost_usd === undefined ? {} : { tellsCost: true }),
    command: (turn) => delivered(wordsOf(turn), prompt, name),
    ...(prompt === 'paste' ? { interactive: { command: wordsOf, isOnly: true } } : {}),
    read: answer === undefined ? readPlain : ({ stdout }) => answerIn(stdout, answer),
  }
}

const asked = (about: CustomAgent, { model, resume }: Turn): string[] => [
  ...(model === undefined ? [] : filled(about.model ?? [], model)),
  ...(resume === undefined ? [] : filled(about.resume ?? [], resume)),
]

const filled = (words: readonly string[], value: string) => words.map((word) => word.replaceAll('{}', () => value))

/** `cat` makes stdin a pipe that can be opened by name; a shell keeps the line ends of an argument, behind a mark. */
function delivered(command: readonly string[], prompt: CustomAgent['prompt'], name: string): string[] {
  switch (prompt) {
    case 'paste':
      throw new Failure('usage', `expected a terminal for ${name}, whose prompt is pasted there`, {
        hint: 'scope spawn gives it one, where tmux is there and nothing says --headless',
      })
    case 'stdin':
      return [...command]
    case 'file':
      return ['sh', '-c', 'cat | "$@"', 'sh', ...command]
    case 'argument':
      return ['sh', '-c', `p=$(cat; printf x); exec "$@" "\${p%x}" </dev/null`, 'sh', ...command]
  }
}

function answerIn(stdout: string, paths: NonNullable<CustomAgent['answer']>): AgentAnswer | undefined {
  const found = readJsonValues(stdout).findLast((value) => {
    const failed = paths.error !== undefined && typeof valueAt(value, paths.error.split('.')) === 'string'
    return failed || typeof valueAt(value, paths.text.split('.')) === 'string'
  })
  if (found === undefined) return undefined
  const text = textAt(found, paths.text)
  const error = paths.error === undefined ? null : textAt(found, paths.error)
  const cost = paths.cost_usd === undefined ? undefined : valueAt(found, paths.cost_usd.split('.'))
  return {
    text: error === null ? (text ?? '') : '',
    session: paths.session === undefined ? null : textAt(found, paths.session),
    usage: null,
    costUsd: typeof cost === 'number' && cost >= 0 ? cost : null,
    trouble: error === null ? null : { message: error },
  }
}

const textAt = (value: unknown, path: string): string | null => {
  const found = valueAt(value, path.split('.'))
  return typeof found === 'string' ? found : null
}
