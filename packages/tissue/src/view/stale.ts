// What rests: issues that nobody has touched for long, and work whose lease ran out.
import type { Issue } from '../schema/schemas.ts'

/** An issue that is not over, and in which way it rests. */
export type StaleIssue = Issue & { readonly stale: 'untouched' | 'lease-expired' }

type Rest = { readonly now: number; readonly restMs: number }

/**
 * The issues, of those that are not over, that nobody has touched for `restMs`, or whose holder's lease ran out. What is
 * deferred rests on purpose.
 */
export function staleIssues(issues: readonly Issue[], rest: Rest): StaleIssue[] {
  return issues.flatMap((issue) => {
    const stale = stateOf(issue, rest)
    return stale ? [{ ...issue, stale }] : []
  })
}

function stateOf(issue: Issue, { now, restMs }: Rest): StaleIssue['stale'] | undefined {
  const { claim, status, defer_until, updated_at } = issue
  if (claim) return claim.until <= now ? 'lease-expired' : undefined
  if (status === 'deferred' || (defer_until ?? 0) > now) return undefined
  return now - updated_at >= restMs ? 'untouched' : undefined
}
