import type { Journal } from '../record/journal.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import type { Place } from '../work/place.ts'
import { taskPlace } from '../work/task-place.ts'
import type { TurnWorld } from './turn-world.ts'
import { treeOfTask, verifyTask } from './verify-task.ts'

/** A place of a session's work: its hooks know of a turn what they find there, and tell the agent about it. */
export type SessionPlace = Place & {
  /** What the turn left behind. `uncommitted`: files that the agent has to commit first. */
  look(): Promise<{ left: string | null; changed: boolean; uncommitted: readonly string[] }>
  /** Whether the agent has closed what is open again now: it says with it that it is done. */
  readonly wasClosed: boolean
  /** What the agent is told about its place; in one line, when it has heard the rest. */
  facts(isBrief?: boolean): Promise<readonly string[]>
  /** What it is about, where the run does not say it itself. */
  goal(): Promise<string | undefined>
  /** Begins the next issue; false when there is none. */
  next(): Promise<boolean>
  close(): void
}

/** The place of a task: nothing comes after it. */
export function sessionTask(run: SessionRun, world: TurnWorld, worker: string, journal: Journal): SessionPlace {
  const iterations = () => run.work?.iteration ?? 0
  return {
    ...taskPlace({ journal, worker, iterations, verify: () => verifyTask(run, world) }),
    ...nothing,
    look: async () => ({ left: await treeOfTask(run, world), changed: true, uncommitted: [] }),
    next: async () => false,
    close: () => undefined,
  }
}

const nothing = {
  wasClosed: false,
  facts: async () => [],
  goal: async () => undefined,
}

/** Between two issues there is nothing to judge. */
export const noWork: Omit<SessionPlace, 'next' | 'close'> = {
  ...nothing,
  look: async () => ({ left: null, changed: false, uncommitted: [] }),
  perform: async () => ({ of: 'verify', passed: false, changed: false, output: '' }),
  finish: async ({ outcome }) => ({ issue: 'none', outcome, iterations: 0 }),
}
