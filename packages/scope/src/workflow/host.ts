// What a workflow is run by: where its sessions and its log are, and what was asked of the run.
import type { ProcessOf } from '../session/event-schema.ts'
import type { Scribe } from '../session/record.ts'
import type { Plan } from '../start/spawn-session.ts'
import type { WorkflowRun } from './phase-schema.ts'
import type { RunPlace } from './run-log.ts'

export type Host = {
  readonly scribe: Scribe
  readonly place: RunPlace
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly pid: number
  /** The file that the workflow is in, as its whole path. */
  readonly file: string
  readonly params: Readonly<Record<string, string>>
  /** Whether the last run of the file is gone on with. */
  readonly resumes: boolean
  /** The phase from which on that run is done anew. */
  readonly from: string | undefined
  readonly isDry: boolean
  /** Whether no phase has a terminal, also where tmux is there. */
  readonly isHeadless: boolean
  /** Whether the file itself may not print to stdout. */
  readonly keepsStdout: boolean
  readonly signal: AbortSignal
  readonly startSupervisor: (id: string, plan: Pick<Plan, 'cwd' | 'backend'>) => Promise<ProcessOf>
  /** A line for people. */
  readonly note: (text: string) => void
  /** A phase as it would be run. */
  readonly onPlan: (phase: string, plan: Plan) => void
  readonly onRun: (run: WorkflowRun) => void
}
