import { Failure } from '@switchyard/ground/failure'
import { isConflictMarker } from '@switchyard/jsonl'

/** Fails as `corrupt` on a line that version control left where it could not merge; `number` counts from 1. */
export function refuseConflict(line: string, number: number): void {
  if (!isConflictMarker(line)) return
  throw new Failure('corrupt', `line ${number} is a conflict marker of version control; nothing was imported`, {
    hint: 'settle the conflict first',
  })
}
