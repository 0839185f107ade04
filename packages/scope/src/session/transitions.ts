// Which event takes a session from which state to which. Ends are ends: only whoever resumes it, or a new prompt to one
// that is done, takes a session out of one.
import type { SessionEvent } from './event-schema.ts'

/** The states of a session, as its file `state` holds them. */
export const states = ['pending', 'running', 'done', 'exited', 'failed', 'aborted'] as const

export type State = (typeof states)[number]

/** Whether nothing more comes of a session by itself. */
export const isOver = (state: State) => state !== 'pending' && state !== 'running'

const open: readonly State[] = ['pending', 'running']
const over: readonly State[] = ['done', 'exited', 'failed', 'aborted']

type Move = { readonly from: readonly State[]; readonly to: State | 'as it was' }

const moves = new Map<SessionEvent['event'], Move>([
  ['child', { from: states, to: 'as it was' }],
  ['launched', { from: open, to: 'as it was' }],
  ['queued', { from: ['pending'], to: 'as it was' }],
  ['started', { from: open, to: 'running' }],
  ['ready', { from: ['running'], to: 'as it was' }],
  ['submitted', { from: ['running'], to: 'as it was' }],
  ['turn', { from: ['pending', 'running', 'done', 'exited'], to: 'as it was' }],
  ['result', { from: ['running', 'done', 'exited'], to: 'as it was' }],
  ['iteration', { from: ['running'], to: 'as it was' }],
  ['gate', { from: ['running'], to: 'as it was' }],
  ['verdict', { from: ['running'], to: 'as it was' }],
  ['judged', { from: ['running'], to: 'as it was' }],
  ['paused', { from: open, to: 'as it was' }],
  ['prompted', { from: ['running', 'done'], to: 'running' }],
  ['done', { from: ['running'], to: 'done' }],
  ['exited', { from: open, to: 'exited' }],
  ['aborted', { from: open, to: 'aborted' }],
  ['failed', { from: open, to: 'failed' }],
  ['ended', { from: states, to: 'as it was' }],
  ['resumed', { from: over, to: 'running' }],
])

/** What still counts in a session that is paused: its agent was ended, which is no end of the session. */
const inPause: readonly SessionEvent['event'][] = ['child', 'ready', 'result', 'ended', 'aborted', 'resumed']

/** The state behind an event; undefined when the event is void in this one. */
export function stateAfter(state: State, event: SessionEvent['event'], isPaused = false): State | undefined {
  const move = moves.get(event)
  if (move === undefined || !(isPaused ? inPause.includes(event) : move.from.includes(state))) return undefined
  return move.to === 'as it was' ? state : move.to
}
