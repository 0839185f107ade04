// What a run that works was asked to do, as far as it has not done it.

import type { LoopEvent } from '../state/event-schema.ts'
import type { Words } from '../state/said.ts'

export type Control = Extract<LoopEvent, { event: 'control' }>

export type ControlsOptions = {
  /** The run has one worker, whom everything that agents say is of. */
  isAlone: boolean
  /** It was paused when it was left. */
  wasPaused: boolean
}

export type ControlState = {
  /** Takes a request up, and gives its answer. */
  apply(control: Control): string
  /** Aborted when the run is cancelled, with what was said as the reason. */
  readonly cancelled: AbortSignal
  isPaused(): boolean
  /** Ends when the run is not paused any more, is cancelled, or `signal` is aborted. */
  untilResumed(signal: AbortSignal): Promise<void>
  /** What a worker has not been told yet. */
  takeSteer(worker: string): string | undefined
  /** What the agent of a worker has said of its work with `loop signal` since this was asked last. */
  takeSignal(worker: string): Words | undefined
}

export function openState({ isAlone, wasPaused }: ControlsOptions): ControlState {
  const cancellation = new AbortController()
  const steers: string[] = []
  const told = new Map<string, number>()
  const signals = new Map<string, Words>()
  const nameOf = (worker: string) => (isAlone ? '' : worker)
  const sleepers = new Set<() => void>()
  let isPaused = wasPaused
  const wake = () => {
    for (const done of sleepers) done()
    sleepers.clear()
  }
  return {
    cancelled: cancellation.signal,
    isPaused: () => isPaused,
    apply({ command, by, text, said }) {
      switch (command) {
        case 'pause':
          isPaused = true
          return 'paused before the next turn'
        case 'resume': {
          const was = isPaused
          isPaused = false
          wake()
          return was ? 'goes on' : 'it was not paused'
        }
        case 'cancel':
          cancellation.abort(text === '' ? `cancelled by ${by}` : `cancelled by ${by}: ${text}`)
          wake()
          return 'cancelled'
        case 'steer':
          steers.push(text)
          return 'told at the next turn'
        case 'signal':
          signals.set(nameOf(by), { said: said ?? 'done', ...(text === '' ? {} : { why: text }) })
          return 'noted'
      }
    },
    async untilResumed(signal) {
      while (isPaused && !cancellation.signal.aborted && !signal.aborted) {
        await new Promise<void>((done) => {
          sleepers.add(done)
          signal.addEventListener('abort', () => done(), { once: true })
        })
      }
    },
    takeSteer(worker) {
      const fresh = steers.slice(told.get(worker) ?? 0)
      told.set(worker, steers.length)
      return fresh.length === 0 ? undefined : fresh.join('\n\n')
    },
    takeSignal(worker) {
      const said = signals.get(nameOf(worker))
      signals.delete(nameOf(worker))
      return said
    },
  }
}
