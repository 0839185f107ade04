import type { SessionRun } from './fold-session-run.ts'
import { type Gates, taskGates } from './gates.ts'
import type { Move } from './move-run.ts'

/** The gates of a run: those of a task, or of the issue that is worked. */
export async function openGates({ record, world, worker }: Move, run: SessionRun): Promise<Gates> {
  return taskGates(run, world, worker, record.tell)
}
