// What a holder should know of the issue it has just taken.
import type { Context } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { SingleEvent } from '../schema/event-schema.ts'
import type { Issue } from '../schema/schemas.ts'
import { timeText } from '../text/time-text.ts'

/** Fails as bad input on a lease that would be over at once. */
export function checkTtl(ttlMs: number | undefined): void {
  if (ttlMs !== undefined && ttlMs < 1) throw new Failure('usage', 'expected a --ttl of at least 1ms, got none')
}

/** Says why others might not have taken it now, and whose unfinished work may lie about. */
export function noteTaken(
  { output, now }: Pick<Context, 'output' | 'now'>,
  issue: Issue,
  events: readonly SingleEvent[],
): void {
  const { id, short, assignee, claim, blocked_by, defer_until } = issue
  const taken = events.find((event) => event.type === 'claimed' && event.issue === id)
  if (taken?.type !== 'claimed' || taken.renews !== undefined) return
  if (blocked_by.length > 0) output.note(`${short} still waits for ${blocked_by.join(', ')}`)
  if (defer_until !== undefined && defer_until > now())
    output.note(`${short} is deferred until ${timeText(defer_until)}`)
  if (assignee !== null && assignee !== claim?.by) output.note(`${short} is assigned to ${assignee}`)
  if (taken.previous !== undefined && taken.previous !== claim?.by)
    output.note(`${short} was held by ${taken.previous}, whose lease ran out: look for what is half done`)
}
