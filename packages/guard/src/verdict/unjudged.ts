// What is said of a call that the guard could not judge, whatever kept it from that: it never runs for that reason.
import { isFailure } from '@switchyard/ground/failure'
import type { Verdict } from './verdict.ts'

export const unjudgedRule = 'guard.unjudged'

export const unjudgedReason = 'this call could not be judged; make it shorter and plainer, or ask the person'

/** Where nobody can be asked: within an issue, for an agent that only reads, and in one that loop has started. */
export type Asked = { readonly env: Readonly<Record<string, string | undefined>>; readonly isBound: boolean }

/** The verdict on a call whose judgement has failed so. No setting changes it. */
export function unjudged(error: unknown, { env, isBound }: Asked): Verdict {
  const isAlone = isBound || Boolean(env['LOOP_RUN_ID']) || Boolean(env['LOOP_DEPTH'])
  return { decision: isAlone ? 'deny' : 'ask', rule: unjudgedRule, reason: unjudgedReason, at: whyNot(error) }
}

/** A stack that is full is how deep nesting ends. */
function whyNot(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply, or too large'
  if (isFailure(error)) return error.hint === undefined ? error.message : `${error.message}; ${error.hint}`
  return `a bug in the guard: ${error instanceof Error ? error.message : String(error)}`
}
