// What is wrong with an import, gathered before anything is written, so that several faults are mended at once.
import { Failure } from '@switchyard/cli-kit/failure'
import { isConflictMarker } from '@switchyard/jsonl'

const shownMax = 5

/** The faults of one import. */
export type Faults = {
  /** `place` says where: "line 7", "issue 3". */
  readonly add: (place: string, reason: string) => void
  /** Fails as bad input (exit 2), naming the first faults, when there was one. */
  readonly refuse: () => void
}

/** An empty list of faults; `expected` says what every line should have been. */
export function openFaults(expected: string): Faults {
  const shown: string[] = []
  let count = 0
  return {
    add: (place, reason) => {
      count += 1
      if (count <= shownMax) shown.push(`${place} ${reason}`)
    },
    refuse: () => {
      if (count === 0) return
      const more = count > shownMax ? `; ${count - shownMax} more` : ''
      throw new Failure('usage', `expected ${expected}: ${shown.join('; ')}${more}`, { hint: 'nothing was written' })
    },
  }
}

/** Fails as `corrupt` on a line that version control left where it could not merge; `number` counts from 1. */
export function refuseConflict(line: string, number: number): void {
  if (!isConflictMarker(line)) return
  throw new Failure('corrupt', `line ${number} is a conflict marker of version control; nothing was imported`, {
    hint: 'settle the conflict first',
  })
}
