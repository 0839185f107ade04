import type { IssueResult } from '../state/event-schema.ts'
import type { End, WorkInput } from '../state/work-schema.ts'
import type { Gate } from './advance.ts'

/**
 * Where a work is done, a task or an issue: whoever moves it, a runner, the hooks of a session or a person, passes its
 * gates and ends it here.
 */
export type Place = {
  /** Passes, or fails, one gate. `stop` ends what is being done for it. */
  perform(gate: Gate, stop?: AbortSignal): Promise<WorkInput>
  /** Records how the work ended, and cleans up. May be repeated. */
  finish(end: End): Promise<IssueResult>
}
