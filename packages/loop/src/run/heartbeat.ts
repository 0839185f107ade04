import { isFailure } from '@switchyard/cli-kit/failure'
import type { Tissue } from '../tissue.ts'

/** Keeps a claim alive while its issue is worked. `lost` is aborted when another has it. */
export type Heartbeat = { readonly lost: AbortSignal; stop(): Promise<void> }

type Claim = { issue: string; worker: string; fence: string; leaseMs: number }

/**
 * Renews three times a lease. A renewal that fails for another reason is tried again at the next beat; landing checks
 * the claim anyway.
 */
export function keepClaim(
  tissue: Tissue,
  { issue, worker, fence, leaseMs }: Claim,
  note: (text: string) => void,
): Heartbeat {
  const loss = new AbortController()
  let renewal: Promise<void> = Promise.resolve()
  const renew = async () => {
    try {
      const renewed = await tissue.claim(issue, worker, leaseMs)
      if (renewed?.claim?.id !== fence) loss.abort()
    } catch (error) {
      if (!isFailure(error)) throw error
      note(`${issue}: the claim could not be renewed: ${error.message}`)
    }
  }
  const timer = setInterval(() => {
    renewal = renewal.then(renew)
  }, leaseMs / 3)
  return {
    lost: loss.signal,
    async stop() {
      clearInterval(timer)
      await renewal
    },
  }
}
