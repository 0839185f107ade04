// The sessions that a loop starts: a worker and a judge in each iteration. One that is there already, because the
// loop's process was killed, is found again; one that ended badly is taken up where it was.
import process from 'node:process'
import { readStored } from '@switchyard/ground/disk'
import { join } from '@switchyard/ground/machine'
import { type Budget, restOf } from '../budget.ts'
import { letGo } from '../end/let-go.ts'
import { waitForAll } from '../end/wait-for.ts'
import type { Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { spentBy } from '../session/spending.ts'
import { isOver } from '../session/transitions.ts'
import { readLaunch } from '../start/launch.ts'
import { type Plan, spawnSession } from '../start/spawn-session.ts'
import { takeUp } from '../start/take-up.ts'
import { isOwn, type LoopRun } from './loop-run.ts'

type Role = 'do' | 'check'

/** The id of a member of a loop. */
export const memberId = (loop: string, iteration: number, role: Role) => `${loop}-${iteration}-${role}`

/** The last message of a session's agent, and where it lies; empty where there is none. */
export function resultOf({ scribe }: Pick<LoopRun, 'scribe'>, id: string): { text: string; path: string } {
  const path = join(sessionFolder(scribe.store, id), 'result')
  return { text: readStored(path) ?? '', path }
}

/** A session that a loop starts, without what it has of the loop. */
export type Member = Pick<Plan, 'model' | 'access' | 'contract' | 'task_type' | 'task'> & { readonly role: Role }

/** Starts a member, or finds it, and waits for its end; undefined once the loop is no longer this process's own. */
export async function runMember(run: LoopRun, iteration: number, member: Member): Promise<Session | undefined> {
  const id = memberId(run.id, iteration, member.role)
  if (readSession(run.scribe.store, id) === undefined)
    await begin(run, { ...memberPlan(run, member), ...budgetOf(run, id), id })
  else await goOn(run, id)
  const all = await wait(run, id, ({ state }) => isOver(state))
  const ended = all.find((session) => session.id === id && isOver(session.state))
  if (ended?.state === 'done') await letGo(run.scribe, ended)
  return ended
}

/** What is left for a member of the budget of its loop, which is that of all members together. */
function budgetOf({ id, scribe, launch }: LoopRun, member: string): { budget?: Budget } {
  const loop = launch.budget === undefined ? undefined : readSession(scribe.store, id)
  if (launch.budget === undefined || loop === undefined) return {}
  return { budget: restOf(launch.budget, spentBy(scribe.store, loop, member)) }
}

/** The plan of a member, which works where its loop does. */
export function memberPlan({ id, launch }: Pick<LoopRun, 'id' | 'launch'>, member: Member): Plan {
  const { agent, custom, cwd, timeout_ms, idle_timeout_ms, loop } = launch
  const idle = idle_timeout_ms === undefined ? {} : { idle_timeout_ms }
  const own = custom === undefined ? {} : { custom }
  return { ...member, ...idle, ...own, agent, cwd, timeout_ms, backend: loop.backend, alias: null, parent: id }
}

async function begin(run: LoopRun, plan: Plan): Promise<void> {
  const { scribe, env, launch, startSupervisor } = run
  await spawnSession(plan, { scribe, env, cwd: launch.cwd, pid: process.pid, startSupervisor })
}

/** A member from before: one that nobody has started yet is waited for, until it is given up. */
async function goOn(run: LoopRun, id: string): Promise<void> {
  const { scribe, env, startSupervisor } = run
  const all = await wait(run, id, ({ state, process: keeper }) => isOver(state) || keeper !== undefined)
  const session = all.find((one) => one.id === id)
  if (session === undefined || !isOver(session.state) || session.state === 'done') return
  const { launch, contract } = readLaunch(scribe.store, id, env)
  const { agentSession } = session
  await takeUp(scribe, id, {
    ...{ launch: { ...launch, ...budgetOf(run, id) }, env, by: 'loop', resume: agentSession },
    contract: agentSession === null ? contract.toString() : 'Go on with your task, and finish it.',
    startSupervisor: () => startSupervisor(id, launch),
  })
}

/** Waits until a member is as wanted, or the loop is no longer this process's own. */
function wait(run: LoopRun, id: string, isWanted: (session: Session) => boolean): Promise<Session[]> {
  return waitForAll(run.scribe, [id, run.id], {
    signal: run.signal,
    isEnough: (all) =>
      all.some((session) => session.id === id && isWanted(session)) ||
      all.some((session) => session.id === run.id && !isOwn(run, session)),
  })
}
