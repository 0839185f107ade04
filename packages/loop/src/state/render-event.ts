import type { LoopEvent } from './event-schema.ts'

/** Whether an event says to a person only what others say already; it is recorded to decide again from. */
export const isRepeating = ({ event }: LoopEvent) => event === 'began' || event === 'decided'

/** One line for people. */
export function renderEvent(event: LoopEvent): string {
  switch (event.event) {
    case 'started':
      return event.mode === 'task'
        ? `run ${event.run}: ${event.goal?.split('\n')[0]}`
        : `run ${event.run}: ${event.jobs} at once, onto ${event.base}, with ${event.with}, verified by ${event.verify}`
    case 'began':
      return `${event.issue}: begun, at most ${event.limits.iterations} iterations`
    case 'decided':
      return `${event.issue}: ${event.step.do}`
    case 'control':
      return `${event.by}: ${event.command}${event.text === '' ? '' : ` ${event.text}`}`
    case 'answered':
      return event.result
    case 'warned':
      return event.text
    case 'held':
      return `a subagent is sent back: ${event.reason}`
    case 'adopted':
      return `taken on by ${event.session.host} session ${event.session.id}`
    case 'forgotten':
      return `${event.host} compacts the conversation: all is told again`
    case 'claiming':
      return `${event.issue}: claiming`
    case 'claimed':
      return `${event.issue}: claimed: ${event.title}`
    case 'iteration':
      return `${event.issue}: iteration ${event.iteration} of ${event.max}`
    case 'ran':
      return `${event.issue}: the runner says ${event.verdict}${event.changed ? '' : ', nothing changed'}`
    case 'waiting':
      return `${event.issue}: ${event.reason}; waiting until ${new Date(event.until).toISOString()}`
    case 'verified':
      if (event.reused) return `${event.issue}: verified before on the same files`
      return `${event.issue}: verify ${event.passed ? 'passed' : `failed (exit ${event.exit_code})`}`
    case 'conflict':
      return `${event.issue}: conflicts with the base in ${event.files.join(', ')}; trying again`
    case 'landing':
      return `${event.issue}: landing ${event.sha.slice(0, 10)}`
    case 'pushed':
      return `${event.issue}: pushed ${event.sha.slice(0, 10)} to ${event.remote}`
    case 'proposed':
      return `${event.issue}: proposed ${event.branch}${event.url === '' ? '' : ` ${event.url}`}`
    case 'landed':
      return `${event.issue}: landed ${event.sha.slice(0, 10)}`
    case 'parked':
      return `${event.issue}: landing parked: ${event.reason}`
    case 'done':
      return `${event.issue}: ${event.outcome}${event.reason === undefined ? '' : ` (${event.reason.split('\n')[0]})`}`
    case 'draining':
      return 'finishing what is begun, claiming no more'
    case 'stopping':
      return 'stopping'
    case 'recovered':
      return `${event.issue}: recovered from a dead run, ${event.landed ? 'it had landed' : 'free to be worked again'}${event.salvage === undefined ? '' : `, its work is kept in ${event.salvage}`}`
    case 'resumed':
      return `${event.issue}: ${event.applied ? 'goes on from' : 'begins anew, as the base conflicts with'} what a dead run left in ${event.salvage}`
    case 'finished':
      return event.by === undefined ? `finished with exit code ${event.exit_code}` : `dead; cleaned up by ${event.by}`
  }
}
