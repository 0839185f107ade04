import type { IssueResult } from '../state/event-schema.ts'
import type { Job } from './run-state.ts'
import type { Take } from './take.ts'

export type DrainOptions = {
  workers: readonly string[]
  /** Issues to claim at most. */
  max: number
  take: Take
  work: (job: Job) => Promise<IssueResult>
  /** Aborted: what is begun is finished, nothing more is taken. */
  draining: AbortSignal
  onResult: (result: IssueResult) => void
}

/**
 * Lets each worker take and work issues until there are no more. A worker that finds none waits while others are
 * busy, because their landings make more ready. When one fails, the others finish what they have, then its error is
 * thrown.
 */
export async function drain({ workers, max, take, work, draining, onResult }: DrainOptions): Promise<IssueResult[]> {
  const results: IssueResult[] = []
  const failures: unknown[] = []
  let taken = 0
  let busy = 0
  let turn: Promise<unknown> = Promise.resolve()
  let wake: () => void = () => undefined
  let change = new Promise<void>((done) => {
    wake = done
  })
  const changed = () => {
    wake()
    change = new Promise((done) => {
      wake = done
    })
  }
  const isOver = () => draining.aborted || failures.length > 0 || taken >= max

  /** One worker takes at a time, so that two of one run never contend for the same issue. */
  const takeInTurn = (worker: string) => {
    const mine = turn.then(async () => {
      if (isOver()) return 'over' as const
      const next = await take(worker, busy)
      if (next !== undefined && 'job' in next) {
        taken += 1
        busy += 1
      }
      return next
    })
    turn = mine.catch(() => undefined)
    return mine
  }

  const serve = async (worker: string) => {
    for (;;) {
      const waiting = change
      const next = await takeInTurn(worker)
      if (next === 'over') return
      if (next === undefined) {
        if (busy === 0) return
        await waiting
        continue
      }
      const result =
        'result' in next
          ? next.result
          : await work(next.job).finally(() => {
              busy -= 1
              changed()
            })
      results.push(result)
      onResult(result)
    }
  }
  await Promise.all(
    workers.map((worker) =>
      serve(worker).catch((error: unknown) => {
        failures.push(error)
        changed()
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
  return results
}
