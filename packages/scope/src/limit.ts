import type { Limit } from './envelope-schema.ts'
import { findResetTime } from './reset-time.ts'

const budget =
  /credit balance (?:is )?too low|insufficient[_ ](?:quota|credits|balance)|billing|spend limit|max(?:imum)?[_ -]budget|exceeded.{0,20}budget|check your plan|payment required/i
const rate =
  /rate.?limit|usage limit|limit reached|hit your .{0,40}limit|too many requests|quota|resource.?exhausted|overloaded|at capacity/i
const auth =
  /invalid (?:api |auth )?(?:key|token)|api key not valid|unauthori[sz]ed|authenticat|not logged in|please run \/login|no auth|permission[_ ]denied|\blog ?in\b.{0,30}(?:first|again)/i

/**
 * Whether what went wrong is a limit that time, money or a login lifts, and when, by the status of the model's server
 * and by the agent's words. Null for everything else.
 */
export function findLimit(trouble: { message: string; status?: number | undefined }, now: number): Limit | null {
  const kind = kindOf(trouble.message, trouble.status ?? statusIn(trouble.message))
  if (kind === undefined) return null
  return { kind, resets_at: kind === 'auth' ? null : findResetTime(trouble.message, now) }
}

function kindOf(message: string, status: number | undefined): Limit['kind'] | undefined {
  if (status === 402 || budget.test(message)) return 'budget'
  if (status === 429 || status === 529) return 'rate'
  if (status === 401 || status === 403) return 'auth'
  if (rate.test(message)) return 'rate'
  return auth.test(message) ? 'auth' : undefined
}

/** Whether an agent has ended itself at the limit of money that it was given by whoever started it. */
export const isOwnLimit = (message: string): boolean => /max(?:imum)?[_ -]budget/i.test(message)

/** The status in words such as `API Error: 429 …`, `last status: 429` and `unexpected status 401 Unauthorized`. */
function statusIn(message: string): number | undefined {
  const digits = /(?:error|status|code|http)\W{0,3}\s*(4\d\d|5\d\d)\b/i.exec(message)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
