import { Failure } from '@switchyard/ground/failure'
import type { Adapter } from '../adapter.ts'
import { aider } from './aider.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { socrates } from './socrates.ts'

/** All that scope knows how to call, in the order in which help shows them. */
export const adapters: readonly Adapter[] = [claude, codex, gemini, opencode, aider, socrates]

/** The agents that scope knows how to call. */
export const agentNames: readonly string[] = adapters.map(({ name }) => name)

/** The adapter of a known agent. Failure `usage` for another name. */
export function findAgent(name: string): Adapter {
  const found = adapters.find((adapter) => adapter.name === name)
  if (found !== undefined) return found
  throw new Failure('usage', `expected --agent to be ${agentNames.join(', ')}, got ${JSON.stringify(name)}`, {
    hint: 'any other program: scope run -- CMD ARG…',
  })
}
