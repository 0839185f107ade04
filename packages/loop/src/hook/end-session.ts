import type { Answer, HostEvent } from '@switchyard/wire/host-event'
import { noteSession } from '../record/binding.ts'
import { findOwnRun } from '../record/own-run.ts'
import type { LoopHook } from './answer-hook.ts'

type End = Extract<HostEvent, { event: 'session-end' }>

/** Notes that the session is over, so that whoever looks for its loop finds it left. */
export async function endSession({ isCleared }: End, { store, session, env, now }: LoopHook): Promise<Answer> {
  if (findOwnRun(store, session, env) === undefined) return { do: 'allow' }
  const ended = { event: 'ended' as const, ...(isCleared ? { cleared: true } : {}) }
  await noteSession(store, session, ended, now())
  return { do: 'allow' }
}
