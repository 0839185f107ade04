import process from 'node:process'

/** What signals ask of a run: the first SIGINT drains it, the second and any SIGTERM stop it. */
export type Requests = {
  readonly draining: AbortSignal
  readonly stop: AbortSignal
  /** Exit code of a stop: 130 or 143. */
  code(): 130 | 143
  close(): void
}

/** Listens from now until `close`. Without `onDrain` the first SIGINT stops the run. */
export function listenForSignals(onDrain: (() => void) | undefined, onStop: () => void): Requests {
  const draining = new AbortController()
  const stop = new AbortController()
  let code: 130 | 143 = 130
  const halt = () => {
    if (stop.signal.aborted) return
    draining.abort()
    stop.abort()
    onStop()
  }
  const interrupt = () => {
    if (draining.signal.aborted || onDrain === undefined) return halt()
    draining.abort()
    onDrain()
  }
  const terminate = () => {
    code = 143
    halt()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', terminate)
  return {
    draining: draining.signal,
    stop: stop.signal,
    code: () => code,
    close: () => process.off('SIGINT', interrupt).off('SIGTERM', terminate),
  }
}
