import type { SessionEvent } from './event-schema.ts'

/** An event as a sentence without its session. */
export function renderEvent(event: SessionEvent): string {
  switch (event.event) {
    case 'created':
      return `${event.agent} is to ${event.task_type}: ${firstLine(event.task)}`
    case 'child':
      return `starts ${event.child}`
    case 'launched':
      return `process ${event.process.pid} was started for it`
    case 'queued':
      return 'waits until another has ended'
    case 'started':
      return 'the agent was started'
    case 'ready':
      return 'the agent is ready'
    case 'submitted':
      return `the contract was delivered, ${event.bytes} bytes`
    case 'prompted':
      return 'somebody gave it something to do'
    case 'turn':
      return renderTurn(event)
    case 'result':
      return `a turn has ended, with ${event.bytes} bytes of result`
    case 'done':
    case 'paused':
      return event.event
    case 'resumed':
      return 'goes on'
    case 'ended':
      return `the agent ended with ${event.signal ?? `exit code ${event.exit_code}`}`
    case 'iteration':
      return `iteration ${event.iteration}: ${event.doer} is at it`
    case 'gate':
      return `gate ${event.passed ? 'passed' : 'failed'}: ${firstLine(event.command)}`
    case 'verdict':
      return `iteration ${event.iteration}: ${event.verdict}${renderScores(event)}`
    case 'judged':
      return `judges: ${event.verdict}${event.message === '' ? '' : `: ${firstLine(event.message)}`}`
    case 'exited':
    case 'aborted':
    case 'failed':
      return `${event.event}${event.reason === '' ? '' : `: ${firstLine(event.reason)}`}`
  }
}

function renderTurn({ turn, reason }: Extract<SessionEvent, { event: 'turn' }>): string {
  if (turn === 'needs_input') return `needs input${reason ? `: ${firstLine(reason)}` : ''}`
  return turn
}

function renderScores({ gates, criteria }: Extract<SessionEvent, { event: 'verdict' }>): string {
  const scores = [
    ...(gates.total === 0 ? [] : [`${gates.passed} of ${gates.total} gates`]),
    ...(criteria === null ? [] : [`${criteria.passed} of ${criteria.total} criteria`]),
  ]
  return scores.length === 0 ? '' : `, ${scores.join(', ')} passed`
}

const firstLine = (text: string) => text.trim().split('\n')[0] ?? ''
