import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { resetWithin } from '@switchyard/wire/read-failure'
import { findOwnRun } from '../record/own-run.ts'
import { applyRequests } from '../record/requests.ts'
import { openRecord } from '../record/session-record.ts'
import { excuse } from '../record/session-topic.ts'
import { workerOfSession } from '../record/worker-name.ts'
import type { LoopHook } from './answer-hook.ts'

type Failed = Extract<HostEvent, { event: 'stop-failure' }>

/** Who pauses a run because its host has a limit. */
export const limiter = 'rate-limit'

/** A turn that failed: a rate limit pauses the loop, anything else is noted. */
export async function pauseAtLimit({ failure, resetsAt }: Failed, hook: LoopHook): Promise<Answer> {
  const { store, session, env, now } = hook
  const run = findOwnRun(store, session, env)
  if (run === undefined || run.work?.paused) return { do: 'allow' }
  const record = openRecord(store, session, run.id, hook)
  if (failure !== 'rate-limit') {
    const why = failure === 'auth' ? 'its host is not logged in' : 'its host failed'
    await record.tell({ event: 'warned', text: `a turn of the session failed: ${why}` })
    return { do: 'allow' }
  }
  const until = resetWithin(resetsAt, now())
  const text = `a rate limit of ${session.host}${until === undefined ? '' : ` until ${new Date(until).toISOString()}`}`
  await record.tell({
    event: 'control',
    command: 'pause',
    by: limiter,
    text,
    ...(until === undefined ? {} : { until }),
  })
  await applyRequests(record, workerOfSession(session))
  if (until !== undefined) excuse(store, session, until)
  return { do: 'allow', warning: `loop: run ${run.id} is paused by ${text}; it goes on with the session's next turn` }
}

/** A session that ends a turn is not held up any more: a pause that a limit made is over. */
export async function resumeAfterLimit(hook: LoopHook): Promise<void> {
  const { store, session, env } = hook
  const run = findOwnRun(store, session, env)
  if (!run?.work?.paused || run.pausedBy !== limiter) return
  const record = openRecord(store, session, run.id, hook)
  await record.tell({ event: 'control', command: 'resume', by: limiter, text: 'the session works again' })
  await applyRequests(record, workerOfSession(session))
}
