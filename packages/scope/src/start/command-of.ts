import { findAgent } from '../agents/find-agent.ts'
import type { Plan } from './spawn-session.ts'

/** The command line of a plan's agent; of a loop's, that of its workers. */
export function commandOf({ agent, access, model, backend, loop }: Plan): string[] {
  const turn = { access, model: model ?? undefined, resume: undefined, settings: undefined, isConfined: false }
  const adapter = findAgent(agent)
  const hasTerminal = (loop?.backend ?? backend) === 'tmux'
  return (hasTerminal ? adapter.interactive : undefined)?.command(turn) ?? adapter.command(turn)
}
