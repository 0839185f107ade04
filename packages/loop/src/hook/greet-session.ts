import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { readAnchor } from '../anchor/keep-anchor.ts'
import { factsOf } from '../anchor/render-anchor.ts'
import { noteSession } from '../record/binding.ts'
import { findOwnRun } from '../record/own-run.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import { renderContinuation } from '../work/continuation.ts'
import type { LoopHook } from './answer-hook.ts'
import { limiter } from './pause-at-limit.ts'

type Start = Extract<HostEvent, { event: 'session-start' }>

/** A session that starts again, or whose conversation was compacted, is told of its loop. Any other hears nothing. */
export async function greetSession({ source }: Start, { store, session, heard, env, now }: LoopHook): Promise<Answer> {
  const run = findOwnRun(store, session, env)
  if (run === undefined) return { do: 'allow' }
  await noteSession(store, session, { event: 'begun' }, now())
  const isLimited = run.work?.paused === true && run.pausedBy === limiter
  if (heard === 'stale' || (run.work?.paused && !isLimited)) {
    return { do: 'context', text: rests(run, heard === 'stale') }
  }
  const anchor = readAnchor(store, run.id)
  const text = renderContinuation({
    run,
    step: run.step.do === 'run' ? run.step : { do: 'run', iteration: run.work?.iteration ?? 1 },
    steers: [],
    facts: anchor === undefined ? [] : factsOf(anchor),
    blocksLeft: undefined,
    news:
      source === 'compact'
        ? 'The conversation was compacted. This is what the loop of this session knows.'
        : 'This session has a loop that is not done.',
  })
  return { do: 'context', text }
}

function rests({ id }: SessionRun, isStale: boolean): string {
  const why = isStale ? 'was left alone for so long that it rests' : 'is paused'
  const ways = `To go on with it: loop resume --run ${id}. To end it: loop cancel --run ${id}. Tell the person.`
  return `Loop run ${id} of this session ${why}. ${ways}`
}
