// Making a session: its folder, its files, its first event, and the process that keeps it going. Until that event is
// there nobody sees it, and whatever is killed before leaves a folder that means nothing.
import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { processOf } from '@switchyard/ground/process-name'
import { writeWhole } from '@switchyard/ground/whole-file'
import { createBus } from '@switchyard/topic'
import { describedAgent } from '../agents/find-agent.ts'
import { keepRubric } from '../rubric/rubric-file.ts'
import { busPlace } from '../session/bus.ts'
import type { ProcessOf, SessionEvent, WorktreePart } from '../session/event-schema.ts'
import { isPaused, type Session } from '../session/fold-session.ts'
import { markLive } from '../session/live.ts'
import { noteProject } from '../session/projects.ts'
import { readSession } from '../session/read-session.ts'
import { type EventDraft, record, type Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { takeName } from '../session/take-name.ts'
import { openGit } from '../worktree/git.ts'
import { makeWorktree } from '../worktree/make-worktree.ts'
import type { Wish } from '../worktree/wish.ts'
import { keepLaunch } from './launch.ts'
import type { Launch } from './launch-schema.ts'
import { claimId, giveBack, newId } from './new-id.ts'
import { type Room, takeRoom } from './room.ts'

type Created = Extract<SessionEvent, { event: 'created' }>

/** All that a new session is made of. */
export type Plan = Omit<Launch, 'v' | 'id' | 'contract' | 'resume' | 'forks'> &
  Pick<Created, 'task' | 'task_type' | 'alias' | 'role'> & {
    readonly parent: string | undefined
    readonly contract: string
    /** The id of what a loop starts, which has a place of its own; anything else is numbered. */
    readonly id?: string
    /** The conversation whose copy it goes on with, and the session that this is of. */
    readonly fork?: { readonly of: string; readonly conversation: string }
    /** How a loop is judged. */
    readonly rubric?: string
    /** The phase of a workflow that it is. */
    readonly workflow?: NonNullable<Created['workflow']>
    /** The worktree that is to be made for it; `cwd` is then within that. */
    readonly worktree?: Wish
  }

export type SpawnWorld = {
  readonly scribe: Scribe
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly pid: number
  /** How many may run beside it; without it, any number. */
  readonly room?: Omit<Room, 'pid'>
  /** Starts what keeps the session going, and names it. */
  readonly startSupervisor: (id: string, plan: Plan) => Promise<ProcessOf>
}

/** Makes a session and starts it; returns it as it stands then. Of one that could not be made nothing stays. */
export async function spawnSession(asked: Plan, world: SpawnWorld): Promise<Session> {
  const { scribe, env } = world
  createBusFor(world)
  noteProject(scribe.store, env)
  const id = asked.id === undefined ? await newId(scribe.store, asked.parent) : claimId(scribe.store, asked.id)
  let plan: Plan
  try {
    plan = await make(asked, id, world)
  } catch (error) {
    giveBack(scribe.store, id)
    throw error
  }
  const process = await world.startSupervisor(id, plan)
  return record(scribe, id, () => [{ event: 'launched', by: 'spawn', process }])
}

/** Everything up to its first event; returns the plan as it is carried out. */
async function make(asked: Plan, id: string, world: SpawnWorld): Promise<Plan> {
  const { scribe, env } = world
  const { parent, alias } = asked
  if (world.room !== undefined) await takeRoom(scribe.store, id, { ...world.room, pid: world.pid })
  if (alias !== null) await takeName(scribe.store, alias, id)
  const { plan, worktree } = await placed(asked, id, world)
  writeFiles(scribe, id, plan)
  if (plan.rubric !== undefined) keepRubric(scribe.store, id, plan.rubric, env)
  const { agent, model, access, backend, cwd, timeout_ms, contract } = plan
  const custom = plan.custom ?? describedAgent(agent, env)
  const conversation =
    plan.fork === undefined ? { resume: null } : { resume: plan.fork.conversation, forks: true as const }
  const orders = { id, agent, model, access, backend, cwd, ...conversation, timeout_ms, contract, env }
  keepLaunch(scribe.store, { ...orders, ...limitsIn(plan), ...(custom === undefined ? {} : { custom }) })
  if (parent !== undefined) {
    await record(scribe, parent, (above) => {
      requireStarting(above)
      return [{ event: 'child', by: 'spawn', child: id }]
    })
  }
  markLive(scribe.store, id)
  await record(scribe, id, () => {
    // Once more, inside this section: whoever ends the parent comes here then, and finds its child or none for good.
    if (parent !== undefined) requireStarting(readSession(scribe.store, parent))
    return [createdOf(plan, worktree, world)]
  })
  return plan
}

function requireStarting(above: Session | undefined): void {
  if (above?.state === 'aborted' || (above !== undefined && isPaused(above))) throw startsNone(above)
}

/** The orders that are only there where a plan has them. */
function limitsIn({ idle_timeout_ms, budget, loop }: Plan) {
  return {
    ...(idle_timeout_ms === undefined ? {} : { idle_timeout_ms }),
    ...(budget === undefined ? {} : { budget }),
    ...(loop === undefined ? {} : { loop }),
  }
}

/** Whoever aborts or pauses a session ends those that it knows of by then. */
function startsNone(above: Session): Failure {
  const { id } = above
  const [how, more] = isPaused(above) ? ['paused', { hint: `scope resume ${id}` }] : ['aborted', {}]
  return new Failure('conflict', `session ${id} is ${how}, and starts no other`, { retryable: false, ...more })
}

function createBusFor({ cwd, env }: SpawnWorld): void {
  const bus = busPlace({ cwd, env })
  if (bus !== undefined) createBus(bus)
}

/** The plan with the worktree in which it is carried out: its own, or that of the session that starts it. */
async function placed(plan: Plan, id: string, { scribe, env, pid }: SpawnWorld) {
  if (plan.worktree === undefined) return { plan, worktree: sharedBy(scribe, plan) }
  const maker = processOf(pid)
  const worktree = await makeWorktree(openGit(env), { store: scribe.store, env, id, maker }, plan.worktree)
  return { plan: { ...plan, cwd: join(worktree.path, plan.worktree.folder) }, worktree }
}

function sharedBy({ store }: Scribe, { parent, cwd }: Plan): WorktreePart | undefined {
  const above = parent === undefined ? undefined : readSession(store, parent)
  const worktree = above?.created.worktree
  if (above === undefined || worktree === undefined) return undefined
  const isInside = cwd === worktree.path || cwd.startsWith(`${worktree.path}/`)
  return isInside ? { ...worktree, of: worktree.of ?? above.id } : undefined
}

function createdOf(plan: Plan, worktree: WorktreePart | undefined, { pid }: SpawnWorld) {
  const { task, task_type, agent, model, access, backend, cwd, alias, role, loop, workflow, budget, fork } = plan
  const draft: EventDraft = {
    ...{ event: 'created', by: 'spawn', task, task_type, agent, model, access, backend, cwd, alias, role },
    ...(loop === undefined ? {} : { max_iterations: loop.max_iterations }),
    ...(budget === undefined ? {} : { budget }),
    ...(workflow === undefined ? {} : { workflow }),
    ...(worktree === undefined ? {} : { worktree }),
    ...(fork === undefined ? {} : { fork_of: fork.of }),
    spawner: processOf(pid),
  }
  return draft
}

/** The files that never change, for whoever looks with cat. */
function writeFiles({ store, now }: Scribe, id: string, plan: Plan): void {
  const files = {
    task: plan.task,
    task_type: plan.task_type,
    agent: plan.agent,
    parent: plan.parent ?? '',
    alias: plan.alias ?? '',
    created_at: new Date(now()).toISOString(),
    activity: '',
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(sessionFolder(store, id), name)
    writeWhole(path, `${path}.draft`, text === '' ? '' : `${text}\n`)
  }
}
