import { findAgent } from '../agents/find-agent.ts'
import type { Plan } from './spawn-session.ts'
import { turnOf } from './turn-of.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The command line of a plan's agent; of a loop's, that of its workers. */
export function commandOf({ agent, access, model, backend, budget, loop }: Plan, env: Env): string[] {
  const turn = turnOf({ access, model, budget })
  const adapter = findAgent(agent, env)
  const hasTerminal = (loop?.backend ?? backend) === 'tmux'
  return (hasTerminal ? adapter.interactive : undefined)?.command(turn) ?? adapter.command(turn)
}
