// What an event says of the status of an issue and of who holds it. Unlike a field, neither follows from one event: the
// facts are kept, and judged together.
import type { SingleEvent, Status } from '../schema/event-schema.ts'
import type { Stamp } from './register.ts'

/** A status, since when and why; `isClaim` is one that is there because somebody claimed the issue. */
export type StatusWrite = {
  readonly status: Status
  readonly at: number
  readonly reason?: string | undefined
  readonly isClaim?: boolean
}

/** A write of the status; `isFirst` made the issue. The rest says which claims it ends. */
export type StatusFact = Stamp & {
  readonly kind: 'status'
  readonly status: Status
  readonly at: number
  readonly reason?: string | undefined
  readonly isFirst?: boolean
  readonly replaces?: readonly string[] | undefined
  /** Claims that it ends; not there in an event of a former version, which ends what was current. */
  readonly ends?: readonly string[] | undefined
  readonly fence?: string | undefined
  /** The head that a release names. */
  readonly expect?: string | undefined
}

/** The beginning of a claim. One without `supersedes` is of a former version, and needs no confirmation. */
export type ClaimFact = Stamp & {
  readonly kind: 'claim'
  readonly by: string
  readonly at: number
  readonly until: number
  readonly expect: string | null
  readonly leases?: readonly string[] | undefined
  readonly replaces?: readonly string[] | undefined
  readonly supersedes?: readonly string[] | undefined
}

export type Fact =
  | StatusFact
  | ClaimFact
  | (Stamp & { readonly kind: 'confirm'; readonly by: string; readonly of: string })
  | (Stamp & {
      readonly kind: 'renew'
      readonly by: string
      readonly of: string
      readonly until: number
      readonly lengthMs: number
      readonly leases?: readonly string[] | undefined
    })
  | (Stamp & { readonly kind: 'keep'; readonly by: string; readonly of: string; readonly until: number })

/** What an event says of claims and of the status, if anything. */
export function factsOf(event: SingleEvent): readonly Fact[] {
  const fact = factOf(event)
  if (!('renewal' in event) || !event.renewal) return fact ? [fact] : none
  const { seq, id, by, renewal } = event
  const keep: Fact = { kind: 'keep', seq, id, by, of: renewal.claim, until: renewal.until }
  return fact ? [fact, keep] : [keep]
}

const none: readonly Fact[] = []

function factOf(event: SingleEvent): Fact | undefined {
  const { seq, id, at, by } = event
  switch (event.type) {
    case 'created':
      return { kind: 'status', seq, id, at, status: 'open', isFirst: true }
    case 'status':
    case 'closed': {
      const { reason, fence, ends } = event
      const status = event.type === 'closed' ? 'closed' : event.status
      return { kind: 'status', seq, id, at, status, reason, fence, ends, replaces: event.replaces?.['status'] }
    }
    case 'released': {
      const { expect, ends } = event
      return { kind: 'status', seq, id, at, status: 'open', expect, ends, replaces: event.replaces?.['status'] }
    }
    case 'claimed': {
      const { until, expect, renews, leases, supersedes } = event
      if (renews !== undefined)
        return { kind: 'renew', seq, id, by, of: renews, until, lengthMs: Math.max(0, until - at), leases }
      const replaces = event.replaces?.['status']
      return { kind: 'claim', seq, id, by, at, until, expect, leases, replaces, supersedes }
    }
    case 'confirmed':
      return { kind: 'confirm', seq, id, by, of: event.of }
    default:
      return undefined
  }
}
