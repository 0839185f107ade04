import type { Session } from '../state/event-schema.ts'
import type { SessionRun } from './fold-session-run.ts'
import { type Gates, taskGates } from './gates.ts'
import type { SessionRecord } from './record.ts'
import type { TurnWorld } from './world.ts'

type Place = {
  readonly record: SessionRecord
  readonly world: TurnWorld
  readonly worker: string
  readonly session: Session
}

/** The gates of a run: those of a task, or of the issue that is worked. */
export async function openGates({ record, world, worker }: Place, run: SessionRun): Promise<Gates> {
  return taskGates(run, world, worker, record.tell)
}
