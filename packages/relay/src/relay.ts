// A relay's whole life: one connection after the other, until it is stopped or done.
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { Store } from '@switchyard/topic'
import type { Access } from './access.ts'
import type { RelayEvent } from './event-schema.ts'
import { Mirror } from './mirror.ts'
import { openRemote } from './nats.ts'
import { runSession } from './session.ts'

const firstRetryMs = 250
const lastRetryMs = 15_000

export type RelayOptions = {
  store: Store
  access: Access
  stream: string
  isMeant: (topic: string) => boolean
  /** Ends when both sides are level, or fails after so many milliseconds; without it only `signal` ends the relay. */
  onceWithinMs: number | undefined
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
  tell: (event: RelayEvent) => void
  note: (text: string) => void
}

/**
 * Mirrors until it is level or stopped, and returns how much. Failure `outside` when the server refuses us, or cannot
 * be reached in time; `waitTimeout` when both sides were not level in time.
 */
export async function runRelay(options: RelayOptions): Promise<Mirror['counts']> {
  const { access, stream, onceWithinMs, now, tell } = options
  const mirror = new Mirror(options)
  const deadline = new AbortController()
  const timer = onceWithinMs === undefined ? undefined : setTimeout(() => deadline.abort(), onceWithinMs)
  const signal = AbortSignal.any([options.signal, deadline.signal])
  let lastFailure: Failure | undefined
  let retries = 0
  const onCaughtUp = () => {
    retries = 0
  }
  try {
    while (!signal.aborted) {
      try {
        const remote = await openRemote(access, stream)
        tell({ event: 'connected', at: now(), server: access.servers.join(', '), stream })
        await runSession(mirror, remote, { ...options, once: onceWithinMs !== undefined, signal, onCaughtUp })
        if (onceWithinMs !== undefined && !signal.aborted) return mirror.counts
      } catch (error) {
        if (!isFailure(error) || !error.retryable) throw error
        lastFailure = error
        const retryMs = retryAfter(retries++)
        tell({ event: 'disconnected', at: now(), reason: error.message, retry_ms: retryMs })
        await pause(retryMs, signal)
      }
    }
    if (options.signal.aborted) return mirror.counts
    throw lastFailure ?? new Failure('waitTimeout', `both sides were expected to be level within ${onceWithinMs} ms`)
  } finally {
    clearTimeout(timer)
  }
}

/** Twice as long each time, and a part of that at random, so that many relays do not come back in step. */
function retryAfter(retries: number): number {
  const most = Math.min(lastRetryMs, firstRetryMs * 2 ** retries)
  return Math.round(most * (0.5 + Math.random() / 2))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
