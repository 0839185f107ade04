// What a run records on its topic `loop:run:<run>`, one message a step, with the event as the message's data.
import { hosts } from '@switchyard/wire/host'
import { z } from 'zod'
import { limits, outcome, rules, workInput, workStep } from './work-schema.ts'

const ofIssue = { issue: z.string().describe('an id of tissue; `task` in a run that works a task'), worker: z.string() }
const iteration = z.int().min(1)
const sha = z.string()
const stepMark = z.string().optional().describe('signature of the machine that landed it: without it nobody goes by it')

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

/** A session of an agent, which its host names. */
export const session = z.object({ host: z.enum(hosts), id: z.string() })
export type Session = z.infer<typeof session>

/** What a run works: one task, one issue, or issues until none is left. */
export const mode = z.enum(['task', 'issue', 'issues'])

export const loopEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('started'),
    run: z.string(),
    owner: owner.optional().describe('not there when a session of an agent owns the run'),
    session: session.optional(),
    mode: mode.optional().describe('issues where it is not said'),
    goal: z.string().optional().describe('the prompt of a task'),
    cwd: z.string().optional(),
    base: z.string(),
    with: z.string(),
    verify: z.string(),
    review: z.boolean().optional(),
    jobs: z.int(),
    max_iterations: z.int(),
    sandbox: z.boolean().optional().describe('what it starts is confined by the kernel'),
    steps: z.boolean().optional().describe('each step is a process of its own: loop run --once'),
    log: z.string().optional().describe('folder with what the runners print, a file an iteration'),
    mark: z.string().optional().describe('signature of the machine that started it: no other moves it'),
  }),
  z.object({ event: z.literal('began'), ...ofIssue, rules, limits }),
  z.object({ event: z.literal('decided'), ...ofIssue, input: workInput, step: workStep }),
  z.object({
    event: z.literal('control'),
    command: z.enum(['pause', 'resume', 'cancel', 'steer', 'signal']),
    by: z.string(),
    text: z.string(),
    said: z.enum(['done', 'nothing', 'stuck', 'limit']).optional().describe('of a signal'),
    keep: z.boolean().optional().describe('of cancel: the worktree and its branch stay where they are'),
    until: z.int().optional().describe('of a pause by a rate limit: when it ends, in milliseconds since 1970'),
  }),
  z.object({
    event: z.literal('answered'),
    request: z.string().describe('id of the control message'),
    result: z.string(),
  }),
  z.object({ event: z.literal('warned'), text: z.string() }),
  z.object({
    event: z.literal('held'),
    agent: z.string().describe('a subagent that may not end yet'),
    reason: z.string(),
  }),
  z.object({ event: z.literal('adopted'), session }),
  z.object({ event: z.literal('forgotten'), host: session.shape.host }),
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
    verdict: z.enum(['done', 'nothing', 'stuck', 'limit', 'quiet', 'failed', 'timeout']),
    exit_code: z.int().nullable(),
    changed: z.boolean(),
    continued: z.boolean().optional().describe('of a session: a hook had sent the agent back to work'),
    transcript_at: z.int().optional().describe('of a session: bytes of its transcript that are counted'),
    stop: z.string().optional().describe('of a session: tells the stop that ended the turn from all others'),
    tokens: z.int().optional(),
    cost_usd: z.number().optional(),
    agent_session: z.string().optional().describe('what the next call of the agent resumes'),
  }),
  z.object({
    event: z.literal('waiting'),
    ...ofIssue,
    until: z.int().describe('milliseconds since 1970'),
    reason: z.string(),
  }),
  z.object({
    event: z.literal('verified'),
    ...ofIssue,
    iteration,
    passed: z.boolean(),
    exit_code: z.int().nullable(),
    reused: z.boolean().optional().describe('it had passed on this tree before'),
  }),
  z.object({ event: z.literal('conflict'), ...ofIssue, files: z.array(z.string()), salvage: z.string() }),
  z.object({
    event: z.literal('landing'),
    ...ofIssue,
    sha,
    base_before: sha,
    remote: z.string().optional().describe('where it is pushed to before the local base moves'),
    ref: z.string().optional().describe('the branch there'),
    mark: stepMark,
  }),
  z.object({ event: z.literal('pushed'), ...ofIssue, sha, remote: z.string(), mark: stepMark }),
  z.object({ event: z.literal('landed'), ...ofIssue, sha, base_before: sha }),
  z.object({ event: z.literal('proposed'), ...ofIssue, sha, branch: z.string(), url: z.string() }),
  z.object({ event: z.literal('parked'), ...ofIssue, sha, reason: z.string() }),
  z.object({ event: z.literal('done'), ...ofIssue, ...issueResult.shape }),
  z.object({ event: z.literal('draining') }),
  z.object({ event: z.literal('stopping') }),
  z.object({
    event: z.literal('resumed'),
    ...ofIssue,
    salvage: z.string().describe('ref of what a run left that died'),
    applied: z.boolean().describe('the worktree begins with it; else it conflicts with the base'),
  }),
  z.object({ event: z.literal('recovered'), ...ofIssue, landed: z.boolean(), salvage: z.string().optional() }),
  z.object({ event: z.literal('finished'), exit_code: z.int().nullable(), by: z.string().optional() }),
])
export type LoopEvent = z.infer<typeof loopEvent>
