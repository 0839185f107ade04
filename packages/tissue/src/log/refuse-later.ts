// A log that a later version has written to: it is read as far as it is understood, and not written to.
import { Failure } from '@switchyard/ground/failure'
import type { Ledger } from './fold.ts'

/** Exits 7 when the log has events that only a later version understands: what they forbid, nobody here knows. */
export function refuseLater({ later }: Pick<Ledger, 'later'>): void {
  if (later.size === 0) return
  throw new Failure(
    'corrupt',
    `expected events of this version, there are some of a later one: ${[...later].sort().join(', ')}`,
    {
      hint: 'nothing was written; update tissue',
      retryable: false,
    },
  )
}
