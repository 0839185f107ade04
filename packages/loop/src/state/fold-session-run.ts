// How a run that a session owns stands, as its events tell it.
import type { LoopEvent } from './event-schema.ts'
import { foldRun } from './fold-run.ts'
import { beginWork, firstStep, reduce, type Work } from './reduce.ts'
import type { RunStatus } from './status-schema.ts'
import type { Limits, WorkStep } from './work-schema.ts'

type Of<Name extends LoopEvent['event']> = Extract<LoopEvent, { event: Name }>

/** An event with the id and the time of its message. */
export type ToldEvent = { readonly id: string; readonly at: number; readonly event: LoopEvent }

/** A control event, and the id that its answer names. */
export type Request = Of<'control'> & { readonly id: string }

export type SessionRun = {
  readonly id: string
  readonly started: Of<'started'>
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Id of the newest message that was read. */
  readonly head: string | null
  readonly status: RunStatus | undefined
  /** How the task, or the issue that is worked now, stands. */
  readonly work: Work | undefined
  readonly step: WorkStep
  /** Limits of the issue that began last. */
  readonly limits: Limits | undefined
  /** So many steps were decided; who finds more than before was overtaken. */
  readonly decisions: number
  readonly claimed: Of<'claimed'> | undefined
  readonly landing: Of<'landing'> | undefined
  /** Who asked last for a pause. */
  readonly pausedBy: string | undefined
  /** Ref of work that a conflict set aside. */
  readonly salvage: string | undefined
  /** Whoever cancelled it wants the worktree to stay. */
  readonly keeps: boolean
  /** Control events without an answer, oldest first. */
  readonly requests: readonly Request[]
  /** Turns that a hook began, one after the other, up to now. */
  readonly continued: number
  /** So often the session was told of what it works now. What is told when it begins, or is taken on, is the first. */
  readonly tellings: number
  /** Mark of the stop that was heard last, and of the one whose turn was counted last. */
  readonly heard: string | undefined
  readonly counted: string | undefined
  /** The agent's own session in which it was called last, and how many calls in a row were made in it. */
  readonly agent: { readonly id: string; readonly calls: number } | undefined
  /** Whether a hook had no time for a check of this run. */
  readonly wasCut: boolean
  /** Where the session's transcript was read to. */
  readonly transcriptAt: number | undefined
  /** Issues that ended in this run. */
  readonly ended: readonly string[]
  readonly isOver: boolean
}

/** A run that has recorded nothing but its start. */
function begin({ id, at, event }: ToldEvent & { event: Of<'started'> }): SessionRun {
  const nothing = {
    limits: undefined,
    work: undefined,
    claimed: undefined,
    landing: undefined,
    salvage: undefined,
    pausedBy: undefined,
    transcriptAt: undefined,
    heard: undefined,
    counted: undefined,
    agent: undefined,
  }
  const lists = {
    wasCut: false,
    requests: [],
    ended: [],
    continued: 0,
    tellings: 0,
    decisions: 0,
    isOver: false,
    keeps: false,
  }
  return {
    id: event.run,
    started: event,
    startedAt: at,
    head: id,
    status: foldRun(undefined, event, at),
    step: firstStep,
    ...nothing,
    ...lists,
  }
}

/** The state after one more event; undefined until the run has started. */
export function foldSessionRun(run: SessionRun | undefined, told: ToldEvent): SessionRun | undefined {
  const { id, at, event } = told
  if (run === undefined) return event.event === 'started' ? begin({ ...told, event }) : undefined
  return { ...run, ...change(run, event, id), head: id, status: foldRun(run.status, event, at) }
}

function change(run: SessionRun, event: LoopEvent, id: string): Partial<SessionRun> {
  switch (event.event) {
    case 'began':
      return {
        work: beginWork(event.rules, event.limits),
        limits: event.limits,
        step: firstStep,
        landing: undefined,
        tellings: 0,
      }
    case 'adopted':
    case 'forgotten':
      return { tellings: 1 }
    case 'iteration':
      return { tellings: run.tellings + 1 }
    case 'decided': {
      const work = run.work === undefined ? undefined : reduce(run.work, event.input).work
      const counted = event.input.of === 'turn' ? run.heard : run.counted
      const wasCut = run.wasCut || ('cut' in event.input && event.input.cut === true)
      return { work, step: event.step, decisions: run.decisions + 1, counted, wasCut }
    }
    case 'control':
      return {
        requests: [...run.requests, { ...event, id }],
        keeps: run.keeps || event.keep === true,
        ...(event.command === 'pause' ? { pausedBy: event.by } : {}),
      }
    case 'answered':
      return { requests: run.requests.filter((request) => request.id !== event.request) }
    case 'claimed':
      return { claimed: event }
    case 'ran':
      return {
        heard: event.stop,
        continued: event.continued ? run.continued + 1 : 0,
        agent: calledAgain(run.agent, event.agent_session),
        transcriptAt: event.transcript_at ?? run.transcriptAt,
      }
    case 'landing':
      return { landing: event }
    case 'conflict':
      return { salvage: event.salvage }
    case 'done':
      return {
        ended: [...run.ended, event.issue],
        work: undefined,
        claimed: undefined,
        landing: undefined,
        salvage: undefined,
      }
    case 'finished':
      return { isOver: true }
    default:
      return {}
  }
}

function calledAgain(agent: SessionRun['agent'], id: string | undefined): SessionRun['agent'] {
  if (id === undefined) return undefined
  return { id, calls: agent?.id === id ? agent.calls + 1 : 1 }
}
