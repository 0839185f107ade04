import { openRecord } from '../record/session-record.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { Session } from '../state/event-schema.ts'
import { renderContinuation } from '../work/continuation.ts'
import { openGates } from './open-gates.ts'
import type { TurnWorld } from './turn-world.ts'

/** What the agent is told when its run begins. */
export async function firstText(run: string, session: Session | undefined, world: TurnWorld): Promise<string> {
  const who = session ?? { host: 'claude' as const, id: 'nobody' }
  const record = openRecord(world.store, who, run, world)
  const begun = record.read()
  if (begun === undefined) return ''
  const gates = await openGates({ record, world, worker: workerOfSession(who), session: who }, begun)
  try {
    const [facts, goal] = [await gates.facts(), await gates.goal()]
    const step = { do: 'run', iteration: begun.work?.iteration ?? 1 } as const
    return renderContinuation({ run: begun, step, steers: [], facts, goal, blocksLeft: undefined })
  } finally {
    gates.close()
  }
}
