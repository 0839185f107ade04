import { type Failure, isFailure } from '@switchyard/ground/failure'
import type { LandingJob } from '../land/landing-run.ts'
import { endedBy, takeBack } from '../programs/own-end.ts'
import type { Tissue } from '../programs/tissue.ts'

/** Keeps a claim alive while its issue is worked. `lost` is aborted when it is not ours any more; its reason says why. */
export type Heartbeat = {
  readonly lost: AbortSignal
  /** What a turn did to the issue: what its worker ended is taken back, what another ended is lost. */
  endTurn(): Promise<void>
  stop(): Promise<void>
}

/** The claim that is kept is named by `fence`, which changes when it is taken back. */
type Claimed = Pick<LandingJob, 'issue' | 'worker' | 'fence'>

const wentToAnother = 'the claim went to another'

/**
 * Renews three times a lease. A renewal that fails for another reason is tried again at the next beat; landing checks
 * the claim anyway.
 */
export function keepClaim(
  tissue: Tissue,
  job: Claimed,
  { leaseMs, note }: { leaseMs: number; note: (text: string) => void },
): Heartbeat {
  const { worker } = job
  const { id } = job.issue
  const loss = new AbortController()
  const next = inTurn((error) => note(`${id}: the claim could not be renewed: ${error.message}`))
  const renew = async () => {
    const renewed = await tissue.claim(id, worker, leaseMs)
    if (renewed?.claim?.id === job.fence) return
    const ender = renewed === undefined ? await tissue.enderOf(id) : undefined
    // A landing has ended it, or its worker has: then it is taken back when the turn is over.
    if (ender !== worker) loss.abort(ender === undefined ? wentToAnother : endedBy(ender))
  }
  const endTurn = async () => {
    const ender = await tissue.enderOf(id)
    if (ender === undefined) return
    if (ender !== worker) return loss.abort(endedBy(ender))
    const fence = await takeBack(tissue, { issue: id, worker, leaseMs })
    if (fence === undefined) return loss.abort(wentToAnother)
    job.fence = fence
    note(`${id}: its worker closed it; it is open again until it has landed`)
  }
  const timer = setInterval(() => void next(renew), leaseMs / 3)
  return {
    lost: loss.signal,
    endTurn: () => next(endTurn),
    async stop() {
      clearInterval(timer)
      await next(async () => undefined)
    },
  }
}

/** One after the other: a renewal between opening and claiming again would take the new claim for a loss. */
function inTurn(onFailure: (error: Failure) => void): (act: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (act) => {
    last = last.then(act).catch((error: unknown) => {
      if (!isFailure(error)) throw error
      onFailure(error)
    })
    return last
  }
}
