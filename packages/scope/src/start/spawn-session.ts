// Making a session: its folder, its files, its first event, and the process that keeps it going. Until that event is
// there nobody sees it, and whatever is killed before leaves a folder that means nothing.
import { join } from 'node:path'
import { writeWhole } from '@switchyard/ground/whole-file'
import { createBus } from '@switchyard/topic'
import { busPlace } from '../session/bus.ts'
import type { ProcessOf, SessionEvent } from '../session/event-schema.ts'
import type { Session } from '../session/fold-session.ts'
import { markLive } from '../session/live.ts'
import { processOf } from '../session/process-here.ts'
import { type EventDraft, record, type Scribe } from '../session/record.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { takeName } from '../session/take-name.ts'
import { keepLaunch } from './launch.ts'
import type { Launch } from './launch-schema.ts'
import { newId } from './new-id.ts'

type Created = Extract<SessionEvent, { event: 'created' }>

/** All that a new session is made of. */
export type Plan = Omit<Launch, 'v' | 'id' | 'contract' | 'resume'> &
  Pick<Created, 'task' | 'task_type' | 'alias' | 'role'> & {
    readonly parent: string | undefined
    readonly contract: string
  }

export type SpawnWorld = {
  readonly scribe: Scribe
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly pid: number
  /** Starts what keeps the session going, and names it. */
  readonly startSupervisor: (id: string, plan: Plan) => ProcessOf
}

/** Makes a session and starts it; returns it as it stands then. */
export async function spawnSession(plan: Plan, world: SpawnWorld): Promise<Session> {
  const { scribe, env } = world
  const { parent, alias } = plan
  createBusFor(world)
  const id = await newId(scribe.store, parent)
  if (alias !== null) await takeName(scribe.store, alias, id)
  writeFiles(scribe, id, plan)
  const { agent, model, access, backend, cwd, timeout_ms, contract } = plan
  keepLaunch(scribe.store, { id, agent, model, access, backend, cwd, resume: null, timeout_ms, contract, env })
  if (parent !== undefined) await record(scribe, parent, () => [{ event: 'child', by: 'spawn', child: id }])
  markLive(scribe.store, id)
  await record(scribe, id, () => [createdOf(plan, world)])
  const process = world.startSupervisor(id, plan)
  return record(scribe, id, () => [{ event: 'launched', by: 'spawn', process }])
}

function createBusFor({ cwd, env }: SpawnWorld): void {
  const bus = busPlace({ cwd, env })
  if (bus !== undefined) createBus(bus)
}

function createdOf({ task, task_type, agent, model, access, backend, cwd, alias, role }: Plan, { pid }: SpawnWorld) {
  const draft: EventDraft = {
    ...{ event: 'created', by: 'spawn', task, task_type, agent, model, access, backend, cwd, alias, role },
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
