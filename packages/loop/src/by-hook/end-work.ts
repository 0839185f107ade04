import { type ExitCode, exitCodes } from '@switchyard/ground/failure'
import type { Journal } from '../record/journal.ts'
import type { SessionRun } from '../state/fold-session-run.ts'
import type { Outcome } from '../state/work-schema.ts'
import { endText } from './end-text.ts'
import type { SessionPlace } from './session-place.ts'

/**
 * Ends what is worked, as it was decided: the next issue has begun then, or the run is over. Gives a sentence for
 * people.
 */
export async function endWork(
  record: Journal,
  place: SessionPlace,
  run: SessionRun,
): Promise<{ news: string; goesOn: boolean }> {
  const end = run.work?.end
  const news = end === undefined ? `run ${run.id} is over.` : endText(run, await place.finish(end))
  if (run.started.mode === 'issues' && end?.outcome !== 'cancelled' && (await place.next()))
    return { news, goesOn: true }
  await record.tell({ event: 'finished', exit_code: exitCodeOf(end?.outcome) })
  return { news, goesOn: false }
}

function exitCodeOf(outcome: Outcome | undefined): ExitCode {
  if (outcome === undefined || ['landed', 'already-done', 'complete', 'proposed'].includes(outcome))
    return exitCodes.done
  if (outcome === 'gave-up' || outcome === 'stuck') return exitCodes.limit
  return outcome === 'cancelled' ? exitCodes.conflict : exitCodes.failed
}
