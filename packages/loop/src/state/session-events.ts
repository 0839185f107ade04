// What the events of a run come to for whoever watches the sessions of all tools: events of sessions, as
// docs/formats/session.md has them. A run is a session, and so is each issue that it works, below it.
import type { WholeName } from '@switchyard/ground/process-name'
import type { LoopEvent } from './event-schema.ts'

type Of<Name extends LoopEvent['event']> = Extract<LoopEvent, { event: Name }>

/** An event of a session without its id, its time and its writer. */
export type SessionDraft = { readonly session: string; readonly event: string; readonly [field: string]: unknown }

/** What must be known of a run beside the event: how it started, and which process writes. */
export type Told = { readonly started: Of<'started'>; readonly writer: WholeName }

const runLength = 8
const task = 'task'

/** The session that a run is: the end of its id tells runs apart. */
const sessionOf = (run: string) => `loop:${run.slice(-runLength)}`

/** What an event of a run says of sessions; nothing of most. */
export function sessionEventsOf({ started, writer }: Told, event: LoopEvent): SessionDraft[] {
  const run = sessionOf(started.run)
  const work = 'issue' in event && event.issue !== task ? `${run}:${event.issue}` : run
  switch (event.event) {
    case 'started':
      return runBegins(run, { started, writer })
    case 'adopted':
      return [{ session: run, event: 'ready', agent_session: event.session.id }]
    case 'control':
      return controlled(run, event)
    case 'claimed':
      return issueBegins(run, work, event, { started, writer })
    case 'iteration':
      return [
        { session: work, event: 'iteration', iteration: event.iteration - 1, doer: event.worker },
        doing(work, 'working'),
      ]
    case 'ran':
      return [turnEnds(work, event)]
    case 'decided':
      return decided(work, event)
    case 'waiting':
      return [doing(work, `waiting: ${event.reason}`)]
    case 'done':
      return workEnds(run, work, event)
    case 'recovered':
      return event.landed
        ? [{ session: work, event: 'done' }]
        : [{ session: work, event: 'failed', reason: 'its run died; it is free to be worked again' }]
    case 'draining':
      return [doing(run, 'finishing what is begun')]
    case 'stopping':
      return [doing(run, 'stopping')]
    case 'finished':
      return runEnds(run, event)
    default:
      return []
  }
}

const doing = (session: string, activity: string): SessionDraft => ({ session, event: 'activity', activity })

function runBegins(session: string, { started, writer }: Told): SessionDraft[] {
  const { mode = 'issues', goal = '', base, max_iterations } = started
  const isTask = mode === task
  const what = isTask ? (goal.split('\n')[0] ?? '') : `${mode === 'issue' ? 'an issue' : 'issues'} onto ${base}`
  const role = isTask ? { role: 'loop', max_iterations } : { role: 'run' }
  return begins(session, { task: what, cwd: started.cwd ?? '/', ...role }, { started, writer })
}

function issueBegins(run: string, session: string, event: Of<'claimed'>, told: Told): SessionDraft[] {
  const { title, worktree } = event
  const issue = { task: title, cwd: worktree, role: 'loop', max_iterations: told.started.max_iterations }
  return [{ session: run, event: 'child', child: session }, ...begins(session, issue, told), doing(session, 'claimed')]
}

type Begun = { readonly task: string; readonly cwd: string; readonly role: string; readonly max_iterations?: number }

/** Where no process works the run for itself, as in a session of an agent, there is none whose end would be its own. */
function begins(session: string, about: Begun, { started, writer }: Told): SessionDraft[] {
  const { owner, with: runner } = started
  const named = owner === undefined ? {} : { process: { ...owner, namespace: writer.namespace } }
  const agent = runner || started.session?.host || 'session'
  return [
    {
      ...{ session, event: 'created', ...about, task_type: 'implement', agent, model: null, access: 'write' },
      ...{ backend: 'headless', alias: null, spawner: named.process ?? writer },
    },
    { session, event: 'started', ...named },
    { session, event: 'turn', turn: 'busy' },
  ]
}

function controlled(session: string, { command }: Of<'control'>): SessionDraft[] {
  if (command === 'pause') return [{ session, event: 'turn', turn: 'paused' }]
  if (command === 'resume') return [{ session, event: 'turn', turn: 'busy' }]
  return command === 'cancel' ? [doing(session, 'is being cancelled')] : []
}

/** How much was said nobody has counted. */
const turnEnds = (session: string, { agent_session, cost_usd }: Of<'ran'>): SessionDraft => ({
  ...{ session, event: 'result', bytes: 0, usage: null },
  ...{ agent_session: agent_session ?? null, cost_usd: cost_usd ?? null },
})

function decided(session: string, { step }: Of<'decided'>): SessionDraft[] {
  switch (step.do) {
    case 'verify':
      return [doing(session, 'verifying')]
    case 'review':
      return [doing(session, 'being reviewed')]
    case 'land':
      return [doing(session, 'landing')]
    case 'wait':
      return [doing(session, 'waiting')]
    default:
      return []
  }
}

/** What is parked waits for a person, whom the run itself calls while it goes on. */
function workEnds(run: string, session: string, { issue, outcome, reason }: Of<'done'>): SessionDraft[] {
  const why = reason?.split('\n')[0]
  const words = why === undefined ? outcome : `${outcome}: ${why}`
  switch (outcome) {
    case 'landed':
    case 'already-done':
    case 'complete':
    case 'proposed':
    case 'queued':
      return [doing(session, words), { session, event: 'done' }]
    case 'cancelled':
      return [{ session, event: 'aborted', reason: words }]
    case 'parked':
      return [
        { session, event: 'failed', reason: words },
        { session: run, event: 'turn', turn: 'needs_input', reason: `${issue} is ${words}` },
      ]
    default:
      return [{ session, event: 'failed', reason: words }]
  }
}

/** 3: there was nothing to do. */
function runEnds(session: string, { exit_code, by }: Of<'finished'>): SessionDraft[] {
  const ended = { session, event: 'ended', exit_code, signal: null }
  switch (exit_code) {
    case 0:
    case 3:
      return [{ session, event: 'done' }, ended]
    case 5:
      return [{ session, event: 'aborted', reason: 'cancelled' }, ended]
    case 130:
    case 143:
      return [{ session, event: 'aborted', reason: 'interrupted' }, ended]
    case null:
      return [{ session, event: 'failed', reason: `it died; ${by ?? 'another run'} cleaned up` }, ended]
    default:
      return [{ session, event: 'failed', reason: endReasons.get(exit_code) ?? `exit code ${exit_code}` }, ended]
  }
}

const endReasons = new Map([
  [1, 'not all of it has landed'],
  [9, 'a limit was reached'],
])
