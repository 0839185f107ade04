import { Failure } from '@switchyard/ground/failure'
import { findAgent } from '../agents/find-agent.ts'
import { hasTmux } from '../tmux/tmux.ts'
import type { Launch } from './launch-schema.ts'

type Where = { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }

/**
 * Where an agent is to work: in a terminal where tmux is there and the agent comes with hooks, else without.
 * SCOPE_BACKEND says it for all that know a terminal, `tmux` or `headless`. Exits 2 on another word, 8 where tmux is asked for and missing.
 */
export function backendFor(agent: string, isHeadless: boolean, { env, cwd }: Where): Launch['backend'] {
  const wanted = isHeadless ? 'headless' : env['SCOPE_BACKEND'] || undefined
  if (wanted !== undefined && wanted !== 'tmux' && wanted !== 'headless') {
    throw new Failure('usage', `expected SCOPE_BACKEND to be tmux or headless, got ${JSON.stringify(wanted)}`)
  }
  const isThere = hasTmux({ env, cwd })
  if (wanted === 'tmux' && !isThere) {
    throw new Failure('outside', 'cannot run tmux: no such program', { hint: 'install tmux, or say --headless' })
  }
  const { interactive } = findAgent(agent, env)
  if (wanted === 'headless' || !isThere || interactive === undefined) return 'headless'
  // Without hooks nobody is told when its turn ends: it would go on until somebody enters its terminal.
  return wanted === 'tmux' || interactive.takesHooks ? 'tmux' : 'headless'
}
