// A new session whose agent goes on with a copy of another one's conversation: that one stays as it is.
import { Failure } from '@switchyard/ground/failure'
import type { Access } from '../adapter.ts'
import { findAgent } from '../agents/find-agent.ts'
import type { Budget } from '../budget.ts'
import type { Session } from '../session/fold-session.ts'
import { isSessionId } from '../session/session-id.ts'
import type { Launch } from './launch-schema.ts'
import { titleOf } from './plan.ts'
import { requireFolder } from './require-folder.ts'
import type { Plan } from './spawn-session.ts'

type Env = Readonly<Record<string, string | undefined>>

export type ForkWish = {
  readonly prompt: string | undefined
  readonly access: Access | undefined
  readonly budget?: Budget | undefined
}

/** Its plan. Exits 2 for a loop, or an agent that cannot do so; 5 when there is no conversation yet. */
export function forkPlan({ id, created, agentSession }: Session, launch: Launch, wish: ForkWish, env: Env): Plan {
  if (launch.loop !== undefined) {
    throw new Failure('usage', `expected a session of one agent, ${id} is a loop`, { hint: 'name one of its workers' })
  }
  const { agent, model, access, backend, cwd, timeout_ms, idle_timeout_ms } = launch
  if (findAgent(agent, env).forks !== true) {
    throw new Failure('usage', `expected no --fork with ${agent}, which cannot go on in a copy of a conversation`)
  }
  if (wish.prompt === undefined || wish.prompt.trim() === '') {
    throw new Failure('usage', 'expected a prompt with --fork, got nothing', { hint: `scope resume ${id} "…" --fork` })
  }
  if (agentSession === null) {
    throw new Failure('conflict', `the agent of session ${id} has told of no conversation to go on with`, {
      hint: 'start it anew: scope spawn',
      retryable: false,
    })
  }
  requireFolder(id, cwd)
  const parent = env['SCOPE_SESSION_ID']
  return {
    ...{ task: titleOf(wish.prompt), task_type: created.task_type, alias: null, role: 'run', agent, model },
    ...{ access: wish.access ?? access, backend, cwd, timeout_ms, contract: wish.prompt },
    ...(wish.budget === undefined ? {} : { budget: wish.budget }),
    ...(idle_timeout_ms === undefined ? {} : { idle_timeout_ms }),
    fork: { of: id, conversation: agentSession },
    parent: parent !== undefined && isSessionId(parent) ? parent : undefined,
  }
}
