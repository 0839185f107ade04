import type { Access, Adapter } from '../adapter.ts'
import { readPlain, refuse } from './plain.ts'

const permissions: Readonly<Record<Access, readonly string[]>> = {
  read: ['--chat-mode=ask'],
  write: ['--yes-always'],
  full: ['--yes-always'],
}

/**
 * aider, which takes its prompt from a file: `cat` makes stdin a pipe that can be opened by name, so that the prompt is
 * neither on the command line nor left behind on disk.
 */
export const aider: Adapter = {
  name: 'aider',
  isAgent: true,
  command: (turn) => {
    refuse('aider', turn, ['resume'])
    return [
      ...['sh', '-c', 'cat | aider "$@"', 'aider', '--message-file=/dev/stdin', '--no-pretty', '--no-stream'],
      ...['--no-check-update', ...permissions[turn.access]],
      ...(turn.model === undefined ? [] : [`--model=${turn.model}`]),
    ]
  },
  interactive: {
    command: (turn) => {
      refuse('aider', turn, ['resume'])
      const model = turn.model === undefined ? [] : [`--model=${turn.model}`]
      return ['aider', '--no-check-update', ...permissions[turn.access], ...model]
    },
  },
  read: readPlain,
}
