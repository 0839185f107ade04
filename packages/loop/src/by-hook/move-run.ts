// One stop of a session's agent, as far as it moves one run.
import { createHash } from 'node:crypto'
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { statAt } from '@switchyard/ground/at-path'
import { systemCode } from '@switchyard/ground/failure'
import { spentSince } from '@switchyard/wire/spent-tokens'
import type { Journal } from '../record/journal.ts'
import { answer, applyRequests, decide, ofIssue } from '../record/requests.ts'
import type { Session } from '../state/event-schema.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { hearIn, wordsOf } from '../state/said.ts'
import type { WorkInput } from '../state/work-schema.ts'
import { advance } from '../work/advance.ts'
import { blocksLeft, hasHeardAll, renderContinuation } from '../work/continuation.ts'
import { endWork } from './end-work.ts'
import { openPlace } from './open-place.ts'
import type { SessionPlace } from './session-place.ts'
import type { StopEvent, TurnWorld } from './turn-world.ts'

/** What a stop came to. `overtaken`: another process decided it. `over`: the run is no longer the session's. */
export type Moved =
  | { readonly to: 'block'; readonly text: string }
  | { readonly to: 'allow'; readonly warning?: string }
  | { readonly to: 'over'; readonly news: string }
  | { readonly to: 'overtaken' }

export type Move = {
  readonly record: Journal
  readonly event: StopEvent
  readonly session: Session
  readonly world: TurnWorld
  readonly worker: string
  /** How the runs inside this one ended at this very stop; then it is resumed, and its own turn is not over. */
  readonly news: readonly string[]
}

const twin = 'this stop was counted by another hook of loop; loop doctor tells where they are.'
const overtaken: Moved = { to: 'overtaken' }
const attemptsMax = 20
const messageLength = 500

/** Moves a run by one stop. */
export async function moveRun(move: Move): Promise<Moved> {
  const { record, worker, event, news } = move
  const wasPaused = record.read()?.work?.paused
  await applyRequests(record, worker)
  const run = record.read()
  if (run === undefined) return overtaken
  const isAtWork = run.work !== undefined && run.work.end === undefined
  if (isAtWork && run.work?.paused && !wasPaused) return { to: 'allow', warning: pausedNow(run) }
  if (isAtWork && (run.work?.paused || event.background)) return { to: 'allow' }
  const isTwin = isAtWork && run.step.do === 'run' && run.counted !== undefined && run.counted === markOf(event)
  if (isTwin && news.length === 0) return { to: 'allow', warning: twin }
  const place = await openPlace(move, run)
  try {
    if (isAtWork && news.length > 0) return await block(move, place, run)
    if (isAtWork && run.step.do === 'run' && !(await countTurn(move, place, run))) return overtaken
    return await passGates(move, place)
  } finally {
    place.close()
  }
}

const pausedNow = ({ id, pausedBy }: SessionRun) => `run ${id} is paused by ${pausedBy}; loop resume goes on with it.`

/** Records the turn that is over. What a person has just asked for was not heard yet, so it is not done either. */
async function countTurn(
  { record, event, worker, world }: Move,
  place: SessionPlace,
  run: SessionRun,
): Promise<boolean> {
  const signal = run.requests.findLast(({ command }) => command === 'signal')
  const isSteered = run.requests.some(({ command }) => command === 'steer')
  const message = redactorOf(world.env)(event.lastMessage ?? '')
  const word = signal?.said === undefined ? hearIn(message) : { said: signal.said }
  const heard = word ?? (place.wasClosed ? { said: 'done' as const } : undefined)
  const words = wordsOf('quiet', isSteered ? undefined : heard)
  const output = signal === undefined ? message.slice(-messageLength) : signal.text
  const { left, changed, uncommitted } = await place.look()
  const at = { ...ofIssue(run, worker), iteration: run.work?.iteration ?? 1 }
  const { tokens, to } = spentOf(run, event)
  const { continued } = event
  await record.tell({
    event: 'ran',
    ...at,
    verdict: words.said,
    exit_code: null,
    changed,
    continued,
    stop: markOf(event),
    tokens,
    transcript_at: to,
  })
  for (const request of run.requests) if (request.command === 'signal') await answer(record, request, 'heard')
  const dirty = uncommitted.length === 0 ? {} : { uncommitted: [...uncommitted] }
  const turn = { of: 'turn', ...words, changed, left, at: world.now(), tokens, output, ...dirty } as const
  return decideOnce(record, worker, run.decisions, turn)
}

/** Only a budget makes it worth reading the transcript. */
function spentOf(run: SessionRun, { transcript }: StopEvent): { tokens: number; to: number } {
  if (run.limits?.tokens === undefined) return { tokens: 0, to: run.transcriptAt ?? 0 }
  return spentSince(transcript, { from: run.transcriptAt, startedAt: run.startedAt })
}

/** Passes the gates until the agent is needed again, or the work is over. */
async function passGates(move: Move, place: SessionPlace): Promise<Moved> {
  const { record, worker } = move
  let now = record.read()
  const step = await advance({
    async next() {
      now = record.read()
      if (now?.work === undefined || now.work.end !== undefined) return now?.work?.end
      return now.work.paused ? { do: 'wait' } : now.step
    },
    perform: place.perform,
    async decide(input) {
      const isOurs = now !== undefined && (await decideOnce(record, worker, now.decisions, input))
      if (isOurs) await applyRequests(record, worker)
      else now = undefined
      return isOurs
    },
  })
  if (now === undefined) return overtaken
  if (now.work === undefined || now.work.end !== undefined) return afterEnd(move, place, now)
  return step?.do === 'run' ? block(move, place, now) : { to: 'allow' }
}

/** Records an input and what follows from it; false when another decided first. */
async function decideOnce(record: Journal, worker: string, decisions: number, input: WorkInput): Promise<boolean> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const run = record.read()
    if (run?.work === undefined || run.decisions !== decisions) return false
    if (await decide(record, run, worker, input)) return true
  }
  return false
}

async function block(
  { record, event, worker, world, news }: Move,
  place: SessionPlace,
  run: SessionRun,
): Promise<Moved> {
  const step = run.step.do === 'run' ? run.step : { do: 'run' as const, iteration: run.work?.iteration ?? 1 }
  const steers = run.requests.filter(({ command }) => command === 'steer')
  const { iteration } = step
  if (news.length === 0) {
    const max = run.work?.limits.iterations ?? iteration
    await record.tell({ event: 'iteration', ...ofIssue(run, worker), iteration, max })
  }
  const isBrief = news.length === 0 && hasHeardAll(run, event.host)
  for (const request of steers) await answer(record, request, `told to the agent in iteration ${iteration}`)
  const text = renderContinuation({
    run,
    step,
    steers: steers.map(({ text }) => text),
    facts: await place.facts(isBrief),
    goal: await place.goal(),
    isBrief,
    blocksLeft: blocksLeft(event.host, run.continued, world.env),
    news: news.length === 0 ? undefined : news.join('\n'),
  })
  return { to: 'block', text }
}

/** The work is over: the next issue, or the end of the run. */
async function afterEnd(move: Move, place: SessionPlace, run: SessionRun): Promise<Moved> {
  const { news, goesOn } = await endWork(move.record, place, run)
  const next = goesOn ? move.record.read() : undefined
  if (next === undefined) return { to: 'over', news }
  const placeOfNext = await openPlace(move, next)
  try {
    return await block({ ...move, news: [news] }, placeOfNext, next)
  } finally {
    placeOfNext.close()
  }
}

/**
 * A mark by which a stop is known again, another one for each that comes later: an agent that was sent on has more in
 * its transcript. Undefined where there is no transcript to go by.
 */
function markOf({ transcript, lastMessage, continued }: StopEvent): string | undefined {
  const size = sizeOf(transcript)
  if (size === 0) return undefined
  return createHash('sha256')
    .update(JSON.stringify([transcript, size, continued, lastMessage]))
    .digest('hex')
    .slice(0, 16)
}

function sizeOf(path: string | undefined): number {
  try {
    return (path === undefined ? undefined : statAt(path)?.size) ?? 0
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return 0
  }
}
