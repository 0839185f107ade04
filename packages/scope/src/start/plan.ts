// What `scope spawn` was asked for, as a plan of a session: checked, with nothing left to be looked up.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import type { Access } from '../adapter.ts'
import type { Budget } from '../budget.ts'
import { isSessionId } from '../session/session-id.ts'
import { contractOf, type Terms } from './contract.ts'
import { openFence } from './fenced.ts'
import { asLoop, type Checking } from './loop-plan.ts'
import type { Plan } from './spawn-session.ts'

/** The words of a `scope spawn`. Paths are as they were typed. */
export type Asked = Terms &
  Checking & {
    readonly agent: string
    readonly model: string | undefined
    readonly access: Access
    readonly name: string | undefined
    readonly cwd: string
    readonly timeoutMs: number
    readonly idleTimeoutMs?: number | undefined
    readonly budget?: Budget | undefined
    readonly backend: Plan['backend']
  }

const titleLengthMax = 120

/** What a task is called: its first line, cut where that is long. Empty where it says nothing. */
export function titleOf(task: string): string {
  const title = task.trim().split('\n')[0] ?? ''
  return title.length > titleLengthMax ? `${title.slice(0, titleLengthMax - 1)}…` : title
}

/** The plan. Exits 2 without a task, 3 when the folder or a path to begin with is not there. */
export function planOf(asked: Asked, env: Readonly<Record<string, string | undefined>>): Plan {
  const { task, type, cwd, inputs, agent, access, timeoutMs, idleTimeoutMs, budget } = asked
  const title = titleOf(task)
  if (title === '') throw new Failure('usage', 'expected a task, got nothing', { hint: 'scope spawn "what to do"' })
  if (!existsSync(cwd)) throw new Failure('notFound', `expected a folder to work in, there is none at ${cwd}`)
  for (const path of inputs) {
    if (!existsSync(resolve(cwd, path))) throw new Failure('notFound', `expected --input to exist, there is no ${path}`)
  }
  const parent = env['SCOPE_SESSION_ID']
  const plan: Plan = {
    ...{ task: title, task_type: type },
    ...{ alias: asked.name ?? null, role: 'run', agent, model: asked.model ?? null, access, backend: asked.backend },
    ...(idleTimeoutMs === undefined ? {} : { idle_timeout_ms: idleTimeoutMs }),
    ...(budget === undefined ? {} : { budget }),
    ...{ cwd, timeout_ms: timeoutMs, contract: contractOf(asked, openFence()) },
    parent: parent !== undefined && isSessionId(parent) ? parent : undefined,
  }
  return asLoop(plan, asked, env)
}
