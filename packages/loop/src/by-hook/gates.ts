import type { LoopEvent } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import type { WorkInput, WorkStep } from '../state/work-schema.ts'
import type { Gate } from '../work/advance.ts'
import { treeOfTask, verifyTask } from './task-gates.ts'
import type { TurnWorld } from './turn-world.ts'

type End = Extract<WorkStep, { do: 'end' }>

/** How the work of a session is judged and ended: of a task where it is, of an issue in its worktree. */
export type Gates = {
  /** What the turn left behind. `uncommitted`: files that the agent has to commit first. */
  look(): Promise<{ left: string | null; changed: boolean; uncommitted: readonly string[] }>
  /** Whether the agent has closed what is open again now: it says with it that it is done. */
  readonly wasClosed: boolean
  /** What the agent is told about its place; in one line, when it has heard the rest. */
  facts(isBrief?: boolean): Promise<readonly string[]>
  /** What it is about, where the run does not say it itself. */
  goal(): Promise<string | undefined>
  perform(gate: Gate): Promise<WorkInput>
  /** Records how the work ended, and cleans up. Gives a sentence about it for people. May be repeated. */
  finish(end: End): Promise<string>
  /** Begins the next issue; false when there is none. */
  next(): Promise<boolean>
  close(): void
}

/** Gates of a task: nothing is committed or landed, and nothing comes after it. */
export function taskGates(run: SessionRun, world: TurnWorld, worker: string, tell: Tell): Gates {
  return {
    wasClosed: false,
    look: async () => ({ left: await treeOfTask(run, world), changed: true, uncommitted: [] }),
    facts: async () => [],
    goal: async () => undefined,
    perform: () => verifyTask(run, world),
    async finish({ outcome, reason, commit }) {
      const iterations = run.work?.iteration ?? 0
      const why = reason === undefined ? {} : { reason }
      await tell({
        event: 'done',
        worker,
        issue: 'task',
        outcome,
        iterations,
        ...why,
        ...(commit === undefined ? {} : { commit }),
      })
      return `the task is ${inWords(outcome)} after ${counted(iterations)}${because(reason)}.${tryAgain(outcome, run)}`
    },
    next: async () => false,
    close: () => undefined,
  }
}

/** Between two issues there is nothing to judge. */
export const noWork: Omit<Gates, 'next' | 'close'> = {
  wasClosed: false,
  look: async () => ({ left: null, changed: false, uncommitted: [] }),
  facts: async () => [],
  goal: async () => undefined,
  perform: async () => ({ of: 'verify', passed: false, changed: false, output: '' }),
  finish: async () => '',
}

type Tell = (event: LoopEvent) => Promise<void>

/** What a person can do now about a task that is not done. */
function tryAgain(outcome: End['outcome'], { started }: SessionRun): string {
  if (outcome !== 'stuck' && outcome !== 'gave-up') return ''
  return ` The work is in ${started.cwd ?? 'the folder of the session'}; loop start gives the task another try.`
}

/** So many iterations, in words. */
export const counted = (iterations: number) => `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}`

/** The first line of a reason, behind a colon. */
export const because = (reason: string | undefined) =>
  reason === undefined ? '' : `: ${reason.trim().split('\n')[0]?.replace(/[.:]$/, '')}`

/** How a work ended, as it reads behind "is". */
export const inWords = (outcome: End['outcome']) => outcome.replace('gave-up', 'given up').replace('-', ' ')
