// The state of a run as its events tell it.
import type { LoopEvent } from './event-schema.ts'
import type { RunStatus, WorkerStatus } from './status-schema.ts'
import type { WorkStep } from './work-schema.ts'

/** The status after one more event, which happened at `at`. Undefined until the run has started; it starts once. */
export function foldRun(status: RunStatus | undefined, event: LoopEvent, at: number): RunStatus | undefined {
  if (event.event === 'started') return status ?? begin(event, at)
  if (status === undefined) return undefined
  const next = { ...status, updated_at: at }
  switch (event.event) {
    case 'draining':
    case 'stopping':
      return { ...next, state: event.event }
    case 'finished':
      return { ...next, state: event.by === undefined ? 'finished' : 'dead', exit_code: event.exit_code, workers: [] }
    case 'recovered':
    case 'answered':
    case 'warned':
    case 'held':
    case 'forgotten':
      return next
    case 'adopted':
      return { ...next, session: event.session }
    case 'control':
      return { ...next, state: controlled(status.state, event.command) }
    case 'done':
      return { ...ended(withWorker(next, idle(event.worker, at)), event), ...counted(status, event.outcome) }
    default:
      return withWorker(next, moved(status, event, at))
  }
}

function controlled(state: RunStatus['state'], command: string): RunStatus['state'] {
  if (command === 'pause' && state === 'active') return 'paused'
  return command === 'resume' && state === 'paused' ? 'active' : state
}

type WorkerEvent = Exclude<
  LoopEvent,
  {
    event:
      | 'started'
      | 'draining'
      | 'stopping'
      | 'finished'
      | 'recovered'
      | 'done'
      | 'control'
      | 'answered'
      | 'warned'
      | 'held'
      | 'adopted'
      | 'forgotten'
  }
>

function begin(event: Extract<LoopEvent, { event: 'started' }>, at: number): RunStatus {
  const {
    run,
    base,
    mode = 'issues',
    owner = null,
    session = null,
    goal = null,
    log = null,
    steps = false,
    max_iterations: max,
  } = event
  const none = {
    iteration: 0,
    issue_id: null,
    worktree: null,
    landed: 0,
    already_done: 0,
    not_landed: 0,
    exit_code: null,
    outcome: null,
    reason: null,
  }
  return {
    run,
    state: 'active',
    mode,
    goal,
    base,
    max,
    owner,
    session,
    updated_at: at,
    log,
    steps,
    workers: [],
    ...none,
  }
}

function moved(status: RunStatus, event: WorkerEvent, at: number): WorkerStatus {
  const known = status.workers.find(({ worker }) => worker === event.worker) ?? idle(event.worker, at)
  const now = { ...known, issue_id: event.issue, updated_at: at }
  switch (event.event) {
    case 'claiming':
      return { ...now, phase: 'claiming', iteration: 0, worktree: null, title: null }
    case 'claimed':
      return { ...now, phase: 'running', worktree: event.worktree, title: event.title }
    case 'iteration':
      return { ...now, phase: 'running', iteration: event.iteration }
    case 'ran':
      return { ...now, phase: 'verifying' }
    case 'waiting':
      return { ...now, phase: 'waiting' }
    case 'began':
    case 'resumed':
      return now
    case 'decided':
      return { ...now, ...stepped(event.step) }
    default:
      return { ...now, phase: 'landing' }
  }
}

function stepped(step: WorkStep): Partial<WorkerStatus> {
  if (step.do === 'run') return { phase: 'running', iteration: step.iteration }
  if (step.do === 'verify') return { phase: 'verifying' }
  return step.do === 'land' ? { phase: 'landing' } : {}
}

function idle(worker: string, at: number): WorkerStatus {
  return { worker, issue_id: null, title: null, phase: 'idle', iteration: 0, worktree: null, updated_at: at }
}

function withWorker(status: RunStatus, worker: WorkerStatus): RunStatus {
  const others = status.workers.filter((other) => other.worker !== worker.worker)
  const workers = [...others, worker].sort((a, b) => (a.worker < b.worker ? -1 : 1))
  const busy = worker.issue_id === null ? others.find((other) => other.issue_id !== null) : worker
  return {
    ...status,
    workers,
    iteration: busy?.iteration ?? 0,
    issue_id: busy?.issue_id ?? null,
    worktree: busy?.worktree ?? null,
  }
}

/** The iteration stays for whoever looks when nobody works any more. */
function ended(status: RunStatus, { outcome, reason, iterations }: Extract<LoopEvent, { event: 'done' }>): RunStatus {
  const iteration = status.issue_id === null ? iterations : status.iteration
  return { ...status, outcome, reason: reason ?? null, iteration }
}

function counted(status: RunStatus, outcome: string): Pick<RunStatus, 'landed' | 'already_done' | 'not_landed'> {
  const { landed, already_done, not_landed } = status
  if (outcome === 'landed' || outcome === 'complete' || outcome === 'proposed')
    return { landed: landed + 1, already_done, not_landed }
  if (outcome === 'already-done') return { landed, already_done: already_done + 1, not_landed }
  return { landed, already_done, not_landed: not_landed + 1 }
}
