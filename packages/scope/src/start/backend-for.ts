import { Failure } from '@switchyard/ground/failure'
import { findAgent } from '../agents/find-agent.ts'
import { hasTmux } from '../tmux/tmux.ts'
import type { Launch } from './launch-schema.ts'

type Where = { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }

/**
 * Where an agent is to work: in a terminal where tmux is there and the agent comes with hooks, else without.
 * SCOPE_BACKEND says it for all that know both, `tmux` or `headless`. Exits 2 on another word, and where an agent is to
 * work without the terminal that it cannot do without, 8 where tmux is needed and missing.
 */
export function backendFor(agent: string, isHeadless: boolean, { env, cwd }: Where): Launch['backend'] {
  const wanted = isHeadless ? 'headless' : env['SCOPE_BACKEND'] || undefined
  if (wanted !== undefined && wanted !== 'tmux' && wanted !== 'headless') {
    throw new Failure('usage', `expected SCOPE_BACKEND to be tmux or headless, got ${JSON.stringify(wanted)}`)
  }
  const { interactive } = findAgent(agent, env)
  const isThere = hasTmux({ env, cwd })
  if (interactive?.isOnly && wanted === 'headless') throw new Failure('usage', needsTerminal(agent))
  if ((wanted === 'tmux' || interactive?.isOnly) && !isThere) {
    const hint = interactive?.isOnly ? `install tmux: ${needsTerminal(agent)}` : 'install tmux, or say --headless'
    throw new Failure('outside', 'cannot run tmux: no such program', { hint })
  }
  if (wanted === 'headless' || !isThere || interactive === undefined) return 'headless'
  // Without hooks nobody is told when its turn ends: it would go on until somebody enters its terminal.
  return wanted === 'tmux' || interactive.isOnly || interactive.hooks !== undefined ? 'tmux' : 'headless'
}

const needsTerminal = (agent: string) => `${agent} works in a terminal alone, as its prompt is pasted`
