// What a run records on its topic `loop:run:<run>`, one message a step, with the event as the message's data.
import { z } from 'zod'

const ofIssue = { issue: z.string(), worker: z.string() }
const iteration = z.int().min(1)
const sha = z.string()

export const outcome = z.enum(['landed', 'already-done', 'gave-up', 'parked', 'failed', 'skipped'])

/** How one issue ended: what `loop run` prints. */
export const issueResult = z.object({
  issue: z.string(),
  outcome,
  iterations: z.int().min(0),
  commit: sha.optional().describe('tip of what landed on the base'),
  reason: z.string().optional(),
  salvage: z.string().optional().describe('ref that keeps work which did not land'),
})
export type IssueResult = z.infer<typeof issueResult>

const owner = z.object({ pid: z.int(), start: z.string(), boot: z.string() }).describe('the process that runs it')
export type Owner = z.infer<typeof owner>

export const loopEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('started'),
    run: z.string(),
    owner,
    base: z.string(),
    with: z.string(),
    verify: z.string(),
    jobs: z.int(),
    max_iterations: z.int(),
  }),
  z.object({ event: z.literal('claiming'), ...ofIssue, slug: z.string() }),
  z.object({
    event: z.literal('claimed'),
    ...ofIssue,
    fence: z.string(),
    title: z.string(),
    branch: z.string(),
    worktree: z.string(),
  }),
  z.object({ event: z.literal('iteration'), ...ofIssue, iteration, max: iteration }),
  z.object({
    event: z.literal('ran'),
    ...ofIssue,
    iteration,
    verdict: z.enum(['done', 'nothing', 'failed', 'timeout']),
    exit_code: z.int().nullable(),
    changed: z.boolean(),
  }),
  z.object({
    event: z.literal('verified'),
    ...ofIssue,
    iteration,
    passed: z.boolean(),
    exit_code: z.int().nullable(),
  }),
  z.object({ event: z.literal('conflict'), ...ofIssue, files: z.array(z.string()), salvage: z.string() }),
  z.object({ event: z.literal('landing'), ...ofIssue, sha, base_before: sha }),
  z.object({ event: z.literal('landed'), ...ofIssue, sha, base_before: sha }),
  z.object({ event: z.literal('parked'), ...ofIssue, sha, reason: z.string() }),
  z.object({ event: z.literal('done'), ...ofIssue, ...issueResult.shape }),
  z.object({ event: z.literal('draining') }),
  z.object({ event: z.literal('stopping') }),
  z.object({ event: z.literal('recovered'), ...ofIssue, landed: z.boolean(), salvage: z.string().optional() }),
  z.object({ event: z.literal('finished'), exit_code: z.int().nullable(), by: z.string().optional() }),
])
export type LoopEvent = z.infer<typeof loopEvent>

/** One line for people. */
export function renderEvent(event: LoopEvent): string {
  switch (event.event) {
    case 'started':
      return `run ${event.run}: ${event.jobs} at once, onto ${event.base}, with ${event.with}, verified by ${event.verify}`
    case 'claiming':
      return `${event.issue}: claiming`
    case 'claimed':
      return `${event.issue}: claimed: ${event.title}`
    case 'iteration':
      return `${event.issue}: iteration ${event.iteration} of ${event.max}`
    case 'ran':
      return `${event.issue}: the runner says ${event.verdict}${event.changed ? '' : ', nothing changed'}`
    case 'verified':
      return `${event.issue}: verify ${event.passed ? 'passed' : `failed (exit ${event.exit_code})`}`
    case 'conflict':
      return `${event.issue}: conflicts with the base in ${event.files.join(', ')}; trying again`
    case 'landing':
      return `${event.issue}: landing ${event.sha.slice(0, 10)}`
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
      return `${event.issue}: recovered from a dead run, ${event.landed ? 'it had landed' : 'free to be worked again'}`
    case 'finished':
      return event.by === undefined ? `finished with exit code ${event.exit_code}` : `dead; cleaned up by ${event.by}`
  }
}
