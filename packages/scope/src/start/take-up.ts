// Going on with a session that is over or paused: new orders, in the agent's own conversation where there is one.
import { Failure } from '@switchyard/ground/failure'
import type { ProcessOf } from '../session/event-schema.ts'
import { isPaused } from '../session/fold-session.ts'
import { record, type Scribe } from '../session/record.ts'
import { isOver } from '../session/transitions.ts'
import { keepLaunch } from './launch.ts'
import type { Launch } from './launch-schema.ts'

type Orders = {
  readonly launch: Launch
  readonly contract: string
  /** The agent's conversation; null begins one. */
  readonly resume: string | null
  readonly env: Readonly<Record<string, string | undefined>>
  readonly by: string
  readonly startSupervisor: () => Promise<ProcessOf>
}

/** Takes it up again. Exits 5 when somebody else was first. */
export async function takeUp(scribe: Scribe, id: string, orders: Orders): Promise<void> {
  const { launch, contract, resume, env, by } = orders
  await record(scribe, id, (session) => {
    if (session === undefined || !(isOver(session.state) || isPaused(session)))
      throw new Failure('conflict', `session ${id} goes on already`)
    keepLaunch(scribe.store, { ...launch, resume, contract, env })
    const { budget, loop } = launch
    const max = loop?.max_iterations
    const allowed = budget === undefined ? {} : { budget }
    return [{ event: 'resumed', by, ...allowed, ...(max === undefined ? {} : { max_iterations: max }) }]
  })
  const process = await orders.startSupervisor()
  await record(scribe, id, () => [{ event: 'launched', by, process }])
}
