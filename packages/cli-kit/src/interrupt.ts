import { Failure } from '@switchyard/ground/failure'

/**
 * What `Context.interrupted` does: nothing is listened for until a verb asks, so that a signal ends the process by
 * itself. After that the first SIGINT or SIGTERM aborts the signal, with a `Failure` as its reason, and the second
 * ends the process as if nobody listened.
 */
export function interruptions(): () => AbortSignal {
  let controller: AbortController | undefined
  return () => {
    controller ??= listen()
    return controller.signal
  }
}

function listen(): AbortController {
  const controller = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) {
      const kind = signal === 'SIGINT' ? 'interrupted' : 'terminated'
      controller.abort(new Failure(kind, `stopped by ${signal}`))
      return
    }
    process.off('SIGINT', stop).off('SIGTERM', stop)
    // Re-raised rather than exited with 130, so that a shell sees a death by signal and stops its own loop.
    process.kill(process.pid, signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return controller
}
