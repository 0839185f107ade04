import { setTimeout as sleep } from 'node:timers/promises'

/** How the work on one item ended; `left`: it was stopped before its end, and is to be taken up again. */
export type Settled = 'done' | 'failed' | 'left'

/** A group of as many items as there are workers, in the order in which they ended. */
type Batch = { readonly number: number; readonly success: number; readonly failed: number }

export type Pool = {
  /** Lets nobody begin for so long, as when an agent was refused for its rate. */
  pause(ms: number): void
  /** Waits for `ms`, and for the end of a pause; false when it was asked to end meanwhile. */
  ready(ms?: number): Promise<boolean>
}

export type PoolOptions<T> = {
  readonly jobs: number
  /** No item is begun once it is aborted. */
  readonly draining: AbortSignal
  readonly now: () => number
  work(item: T, worker: number, pool: Pool): Promise<Settled>
  onBatch?(batch: Batch): void
  /** Two batches in a row went wrong for the most part: one worker goes on alone. */
  onAlone?(): void
}

const badBatchesMax = 2

/**
 * Works the items in their order with so many workers. After two batches in a row in which more than half has failed,
 * one worker goes on alone. What a worker throws ends the pool, once the others have ended what they are at.
 */
export async function runPool<T>(items: readonly T[], options: PoolOptions<T>): Promise<void> {
  const { jobs, draining, work } = options
  const pool = openGate(options)
  const ends = new AbortController()
  const batches = countBatches(options)
  let next = 0
  const worker = async (number: number) => {
    while (!draining.aborted && !ends.signal.aborted && (number === 0 || !batches.isAlone())) {
      const item = items[next]
      if (item === undefined) return
      next += 1
      if (!(await pool.ready())) return
      batches.settle(await work(item, number, pool))
    }
  }
  const workers = Array.from({ length: Math.min(jobs, items.length) }, (_, number) =>
    worker(number).catch((error: unknown) => {
      ends.abort()
      throw error
    }),
  )
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason
}

function openGate<T>({ draining, now }: PoolOptions<T>): Pool {
  let openAt = 0
  return {
    pause: (ms) => {
      openAt = Math.max(openAt, now() + ms)
    },
    ready: async (ms = 0) => {
      const own = now() + ms
      for (let wait = Math.max(own, openAt) - now(); wait > 0; wait = Math.max(own, openAt) - now()) {
        if (draining.aborted) return false
        await sleep(wait, undefined, { signal: draining }).catch(() => undefined)
      }
      return !draining.aborted
    },
  }
}

function countBatches<T>({ jobs, onBatch, onAlone }: PoolOptions<T>) {
  let [success, failed, bad, number] = [0, 0, 0, 0]
  let isAlone = false
  return {
    isAlone: () => isAlone,
    settle: (settled: Settled) => {
      if (settled === 'left') return
      if (settled === 'done') success += 1
      else failed += 1
      if (success + failed < jobs) return
      number += 1
      onBatch?.({ number, success, failed })
      bad = failed * 2 > jobs ? bad + 1 : 0
      ;[success, failed] = [0, 0]
      if (bad < badBatchesMax || isAlone || jobs === 1) return
      isAlone = true
      onAlone?.()
    },
  }
}
