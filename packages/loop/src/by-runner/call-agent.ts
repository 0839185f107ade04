// One call of the runner: what it gets, what it says, and what is done when it is refused for its limits.
import { isAbsolute } from 'node:path'
import type { Execution } from '@switchyard/exec'
import { ensureStarted, lastLine } from '@switchyard/exec/ensure-started'
import { nameOfRunner, type Runner } from '@switchyard/exec/runner'
import { Failure } from '@switchyard/ground/failure'
import type { WorkPlace } from '../programs/run-work.ts'
import { readVerdict } from '../programs/runner.ts'
import type { Words } from '../state/said.ts'
import { tail } from '../text/cut-text.ts'
import { failureText } from '../text/failure-text.ts'
import { type Envelope, readEnvelope } from './envelope-schema.ts'
import type { RunCore, Turns } from './run-state.ts'

/** One call. `issue` is `task` in a run that works one. */
export type Call = {
  issue: string
  cwd: string
  env: Record<string, string>
  prompt: string
  stop: AbortSignal
  /** The worktree, and what is done with commits that come out of a sandbox there. */
  place: WorkPlace
}

/** What came of it. `limit` is there when the agent was refused and not called again. */
export type RunnerAnswer = {
  words: Words
  exitCode: number | null
  tokens: number
  costUsd: number
  output: string
  limit: Envelope['limit']
}

const refusalsMax = 20
const graceMs = 5000
const outputBytesMax = 4096
const noSuchProgram = 127

/**
 * Calls the runner until it was not refused for its rate; waits in between. Undefined when it was interrupted in such a
 * wait. Failure `outside` when there is no such program, or the agent is not signed in.
 */
export async function callAgent(run: RunCore, turns: Turns, call: Call): Promise<RunnerAnswer | undefined> {
  for (let times = 1; ; times++) {
    const answer = await callOnce(run, turns, call)
    const { limit } = answer
    run.ledger.add({ tokens: answer.tokens, cost_usd: answer.costUsd })
    if (limit === undefined || call.stop.aborted) return answer
    if (limit.kind === 'budget') return { ...answer, words: { said: 'limit' } }
    if (limit.kind === 'auth') {
      throw new Failure('outside', `${nameOfRunner(run.runner)} is not signed in: ${lastLine(answer.output)}`, {
        hint: 'sign in, then run it again',
      })
    }
    if (times === refusalsMax || run.ledger.over(run.now()) !== undefined) return answer
    const waitMs = backoffMs({ resetsAt: limit.resetsAt, times, baseMs: run.backoffMs }, run.now(), run.random())
    if (!(await waitForLimit(run, turns, call, waitMs))) return undefined
    if (run.ledger.over(run.now()) !== undefined) return answer
  }
}

type Waiting = Pick<RunCore, 'now' | 'limits' | 'runner' | 'journal' | 'draining'>

/** False when the run was asked to end meanwhile. */
async function waitForLimit(run: Waiting, { worker }: Turns, { issue, stop }: Call, waitMs: number): Promise<boolean> {
  const now = run.now()
  const until = Math.round(Math.min(now + waitMs, run.limits.until ?? Number.POSITIVE_INFINITY))
  const reason = `${nameOfRunner(run.runner)} is limited`
  await run.journal.tell({ event: 'waiting', issue, worker, until, reason })
  const signal = AbortSignal.any([stop, run.draining])
  if (!signal.aborted) {
    await new Promise<void>((done) => {
      const timer = setTimeout(done, until - now)
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          done()
        },
        { once: true },
      )
    })
  }
  return !signal.aborted
}

async function callOnce(
  run: RunCore,
  turns: Turns,
  { issue, cwd, env, prompt, stop, place }: Call,
): Promise<RunnerAnswer> {
  const timeoutMs = Math.max(1, Math.min(run.timeoutMs, (run.limits.until ?? Number.POSITIVE_INFINITY) - run.now()))
  const transcript = run.transcripts?.begin(issue, turns.iteration)
  const hooks = await run.hooks()
  const ran = await run.runWork(commandOf(run.runner, turns, timeoutMs, hooks), {
    ...{
      ...place,
      cwd,
      env,
      readable: hooks.filter((word) => isAbsolute(word)),
      onOrphan: 'end',
      input: prompt,
      signal: stop,
    },
    timeoutMs: 'agent' in run.runner ? timeoutMs + graceMs : timeoutMs,
    ...(transcript === undefined ? {} : { onOutput: transcript.write }),
  })
  const lost = transcript?.close()
  if (lost !== undefined) run.note(lost)
  ensureStarted(run.runner, ran, '--with')
  return reasoned(run.runner, 'agent' in run.runner ? answerOfAgent(run, turns, ran) : answerOfCommand(ran), timeoutMs)
}

/** What a failed call printed says why it failed; of every other its end is told. */
function reasoned(runner: Runner, answer: RunnerAnswer, timeoutMs: number): RunnerAnswer {
  const { words, exitCode, output } = answer
  if (words.said !== 'failed' && words.said !== 'timeout') return { ...answer, output: tail(output, outputBytesMax) }
  const timedOutMs = words.said === 'timeout' ? timeoutMs : undefined
  const failed = { what: 'the runner', command: nameOfRunner(runner), exitCode, timedOutMs, output }
  return { ...answer, output: failureText(failed) }
}

function commandOf(
  runner: Runner,
  { session }: Turns,
  timeoutMs: number,
  hooks: readonly string[],
): readonly string[] | { shell: string } {
  if ('shell' in runner) return runner
  const resumed = session === undefined ? [] : ['--resume', session.id]
  const timeout = `${Math.ceil(timeoutMs)}ms`
  return ['scope', 'run', '--agent', runner.agent, '--json', '--timeout', timeout, ...hooks, ...resumed]
}

const nothingSpent = { tokens: 0, costUsd: 0, limit: undefined }

function answerOfCommand(ran: Execution): RunnerAnswer {
  const { exitCode, output } = ran
  return { words: readVerdict(ran), exitCode, output, ...nothingSpent }
}

function answerOfAgent(
  { redact, context }: Pick<RunCore, 'redact' | 'context'>,
  turns: Turns,
  ran: Execution,
): RunnerAnswer {
  const read = ran.timedOut ? undefined : readEnvelope(ran.stdout, redact)
  if (read === undefined) {
    turns.session = undefined
    const { exitCode, output } = ran
    if (exitCode === noSuchProgram) throw new Failure('outside', `expected to run scope, got: ${lastLine(output)}`)
    const said = ran.timedOut || ran.aborted ? 'timeout' : 'failed'
    return { words: { said }, exitCode, output, ...nothingSpent }
  }
  const { words, isWord, exitCode, tokens, costUsd, limit, text, error } = read
  turns.session = nextSession(context, turns, read)
  const output = [text, error].filter((part) => part !== undefined && part !== '').join('\n')
  // Without a command that decides, an agent that stopped has not thereby said that it is done.
  const { verifies, lands } = turns.work.rules
  const isOnlyOver = words.said === 'done' && !isWord && !verifies && !lands
  return { words: isOnlyOver ? { said: 'quiet' } : words, exitCode, tokens, costUsd, limit, output }
}

/** The session to resume at the next call; none after as many calls in it as the context allows. */
function nextSession(
  context: RunCore['context'],
  { session }: Turns,
  { session: id, words: { said } }: Envelope,
): Turns['session'] {
  const calls = session === undefined ? 0 : session.calls
  const isUsable = id !== undefined && said !== 'failed' && said !== 'timeout'
  return isUsable && calls < context.carriedOn ? { id, calls: calls + 1 } : undefined
}

const afterResetMs = 60_000
const waitMsMax = 6 * 3_600_000
const backoffMsMax = 3_600_000

type Limited = {
  /** When the limit ends, as the agent said; milliseconds since 1970. */
  resetsAt: number | undefined
  /** So many calls were refused in a row, this one included. */
  times: number
  baseMs: number
}

/**
 * How long to wait after an agent was refused for its rate: until a minute after the limit ends, where it is known, at
 * most six hours; else `baseMs`, doubled each time to an hour at most, and up to half of it more or less, so that
 * workers do not come back together. `random` is between 0 and 1.
 */
function backoffMs({ resetsAt, times, baseMs }: Limited, now: number, random: number): number {
  if (resetsAt !== undefined) return Math.min(Math.max(resetsAt + afterResetMs - now, 0), waitMsMax)
  return Math.min(baseMs * 2 ** Math.min(times - 1, 30), backoffMsMax) * (0.5 + random)
}
