// What was asked of a run from elsewhere: pause, resume and cancel are applied here; steers and signals wait for the
// turn that hears them.

import type { Request, SessionRun } from '../state/fold-session-run.ts'
import { reduce } from '../state/reduce.ts'
import type { WorkInput } from '../state/work-schema.ts'
import type { Journal } from './journal.ts'

/** Where the events of a run's work belong. */
export const ofIssue = (run: SessionRun, worker: string) => ({ issue: run.claimed?.issue ?? 'task', worker })

/** Applies and answers what was asked, in its order, also what is asked meanwhile. */
export async function applyRequests(record: Journal, worker: string): Promise<void> {
  for (;;) {
    const run = record.read()
    const request = run?.requests.find(({ command }) => command !== 'steer' && command !== 'signal')
    if (run === undefined || request === undefined) return
    const result = await apply(record, run, request, worker)
    if (result !== undefined) await answer(record, request, result)
  }
}

/**
 * Records what happened to the work of a run, and what comes next; false when something was recorded since it was read,
 * or when it works nothing.
 */
export async function decide(record: Journal, run: SessionRun, worker: string, input: WorkInput): Promise<boolean> {
  if (run.work === undefined) return false
  const { step } = reduce(run.work, input)
  return record.tellIf(run.head, { event: 'decided', ...ofIssue(run, worker), input, step })
}

/** Tells whoever asked what came of it. */
export function answer(record: Journal, { id }: Request, result: string): Promise<void> {
  return record.tell({ event: 'answered', request: id, result })
}

/** Undefined when somebody was faster: the request is looked at again. */
async function apply(record: Journal, run: SessionRun, request: Request, worker: string) {
  const { command, text, by } = request
  if (command === 'steer' || command === 'signal') return undefined
  if (run.work === undefined) return 'there is nothing it could apply to'
  if (run.work.end !== undefined) return `it is ${run.work.end.outcome} already`
  if (command === 'resume' && !run.work.paused) return 'it was not paused'
  const input: WorkInput = { of: 'control', command, reason: text === '' ? `${command} by ${by}` : text }
  return (await decide(record, run, worker, input))
    ? { pause: 'paused', resume: 'goes on', cancel: 'cancelled' }[command]
    : undefined
}
