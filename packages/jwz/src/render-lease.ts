import { isLive } from './lease-decide.ts'
import type { Lease } from './lease-fold.ts'
import { inLine, type Look, paint, paintName, renderSpan, renderTime } from './render.ts'

/** A lease as the verbs print it; `leaseSchema` is its promise. Times are milliseconds since 1970. */
export type LeaseView = {
  v: 1
  id: string
  holder: string
  keys: readonly string[]
  mode: Lease['mode']
  since: number
  until: number
  reason: string | null
  fence: number
  state: 'held' | 'expired' | 'released'
  paths?: readonly string[]
}

/** A lease and whether it holds now. */
export function viewOf(lease: Lease, now: number): LeaseView {
  const { id, holder, keys, mode, at, until, reason, fence } = lease
  return {
    v: 1,
    id,
    holder,
    keys,
    mode,
    since: at,
    until,
    reason,
    fence,
    state: isLive(lease, now) ? 'held' : 'expired',
  }
}

/** What `--quiet` prints of a lease, and the verbs that make one print at all. */
export const leaseId = ({ id }: LeaseView): string => id

/**
 * A lease on a line: at a terminal what, who and for how long; in a pipe, separated by tabs, id, holder, mode, end,
 * keys (separated by spaces) and reason.
 */
export function renderLease(view: LeaseView, look: Look): string {
  const { id, holder, keys, mode, until, reason } = view
  const what = inLine(keys.join(' '), look)
  const who = inLine(holder, look)
  const why = inLine(reason ?? '', look)
  if (!look.isTerminal) return [inLine(id, look), who, mode, renderTime(until), what, why].join('\t')
  const time = paint(timeLeft(view, look.now), 'dim', look)
  return [paint(what, 'bold', look), paintName(who, look), mode === 'shared' ? mode : '', time, why]
    .filter((part) => part !== '')
    .join('  ')
}

function timeLeft({ until, state }: LeaseView, now: number): string {
  const span = renderSpan(Math.floor(Math.abs(until - now) / 1000))
  if (state === 'held') return `${span} left`
  return state === 'expired' ? `over for ${span}` : state
}
