import { renderSpan } from '@switchyard/cli-kit/age'
import { tableOf } from '@switchyard/cli-kit/table'
import { isLive } from '../lease/decide.ts'
import type { Lease } from '../lease/fold.ts'
import { inLine, type Look, paint, paintName, renderTime } from '../text/message-line.ts'

/** Keys that are longer do not push the other rows' columns to the right. */
const keysWidthMax = 40

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
 * How a lease of a list looks: at a terminal in columns what, who and for how long; in a pipe, separated by tabs, id,
 * holder, mode, end, keys (separated by spaces) and reason.
 */
export function leaseLines(views: readonly LeaseView[], look: Look): (view: LeaseView) => string {
  const columns = [
    {
      text: ({ keys }: LeaseView) => inLine(keys.join(' '), look),
      paint: (text: string) => paint(text, 'bold', look),
      cellsMax: keysWidthMax,
    },
    { text: ({ holder }: LeaseView) => inLine(holder, look), paint: (text: string) => paintName(text, look) },
    { text: ({ mode }: LeaseView) => (mode === 'shared' ? mode : '') },
    { text: (view: LeaseView) => timeLeft(view, look.now), paint: (text: string) => paint(text, 'dim', look) },
    { text: ({ reason }: LeaseView) => inLine(reason ?? '', look) },
  ]
  const plain = ({ id, holder, mode, until, keys, reason }: LeaseView) => [
    ...[id, holder, mode, renderTime(until), keys.join(' '), reason ?? ''],
  ]
  return tableOf(views, { plain, columns }, look)
}

function timeLeft({ until, state }: LeaseView, now: number): string {
  const span = renderSpan(Math.floor(Math.abs(until - now) / 1000))
  if (state === 'held') return `${span} left`
  return state === 'expired' ? `over for ${span}` : state
}
