import type { Requests } from '@switchyard/cli-kit/drain-signals'
import { type ExitCode, isFailure } from '@switchyard/ground/failure'
import type { Journal } from '../record/journal.ts'

/**
 * Does what a run does, and records how it ended, also when it failed; that it was asked to end is recorded when it
 * happens. A run that is `left` has not ended.
 */
export async function untilFinished(
  journal: Journal,
  { draining, stop }: Requests,
  act: () => Promise<ExitCode | { left: ExitCode }>,
): Promise<ExitCode> {
  let recorded: Promise<void> = Promise.resolve()
  const record = (event: 'draining' | 'stopping') => () => {
    recorded = recorded.then(() => journal.tell({ event }))
    recorded.catch(() => undefined)
  }
  draining.addEventListener('abort', record('draining'), { once: true })
  stop.addEventListener('abort', record('stopping'), { once: true })
  try {
    const code = await act()
    await recorded
    if (typeof code === 'object') return code.left
    await journal.tell({ event: 'finished', exit_code: code })
    return code
  } catch (error) {
    if (isFailure(error) && journal.isThere()) await journal.tell({ event: 'finished', exit_code: error.exitCode })
    throw error
  }
}
