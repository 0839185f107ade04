import { Failure } from '@switchyard/ground/failure'
import type { Adapter, AgentAnswer, Ended, Turn } from '../adapter.ts'

/** The answer of a program that prints nothing else. */
export function readPlain({ stdout }: Ended): AgentAnswer {
  return { text: stdout, session: null, usage: null, costUsd: null, trouble: null }
}

/** Any program that reads a prompt on stdin and prints its answer. */
export function plainCommand(argv: readonly string[]): Adapter {
  return {
    name: 'command',
    isAgent: false,
    command: (turn) => {
      refuse('a command', turn, ['model', 'resume'])
      return [...argv]
    },
    read: readPlain,
  }
}

/** Failure `usage` for what the agent has no way to do. */
export function refuse(who: string, turn: Turn, what: readonly ('model' | 'resume')[]): void {
  const asked = what.find((name) => turn[name] !== undefined)
  if (asked !== undefined) throw new Failure('usage', `expected no --${asked} with ${who}, which has none`)
}
