// One process that keeps a loop going: all that its steps need, and whether the loop is still its own.
import type { ProcessOf } from '../session/event-schema.ts'
import type { Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import { type EventDraft, record, type Scribe } from '../session/record.ts'
import { isOver } from '../session/transitions.ts'
import type { Launch } from '../start/launch-schema.ts'
import type { Plan } from '../start/spawn-session.ts'

export type LoopRun = {
  readonly scribe: Scribe
  readonly id: string
  readonly launch: Launch & { readonly loop: NonNullable<Launch['loop']> }
  /** What the first worker is told. */
  readonly contract: string
  readonly env: Readonly<Record<string, string>>
  /** How this process is named. */
  readonly own: ProcessOf
  readonly signal: AbortSignal
  /** Why that was aborted, and whether the members are to end with the loop. */
  readonly whyAborted: () => { readonly reason: string; readonly endsMembers: boolean }
  /** Starts what keeps a session going, and names it. */
  readonly startSupervisor: (id: string, plan: Pick<Plan, 'cwd' | 'backend'>) => Promise<ProcessOf>
}

/** Whether this process is the one that keeps the loop going: nobody has ended it, or taken it up elsewhere. */
export function isOwn({ own }: LoopRun, session: Session | undefined): session is Session {
  if (session === undefined || isOver(session.state)) return false
  return session.process?.pid === own.pid && session.process.start === own.start
}

/** Records what happened, unless the loop is no longer this process's own; says whether it was. */
export async function say(run: LoopRun, events: readonly EventDraft[]): Promise<boolean> {
  let isSaid = false
  await record(run.scribe, run.id, (session) => {
    isSaid = isOwn(run, session)
    return isSaid ? events : []
  })
  return isSaid
}

/** The loop as it stands; undefined once it is no longer this process's own. */
export function readOwn(run: LoopRun): Session | undefined {
  const session = readSession(run.scribe.store, run.id)
  return isOwn(run, session) ? session : undefined
}
