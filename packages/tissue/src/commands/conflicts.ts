import { defineVerb } from '@switchyard/cli-kit'
import { findConflicts, signaturesOf } from '../conflicts.ts'
import { viewsOf } from '../issue.ts'
import { firstOf, limitFlag } from '../limit.ts'
import { shownConflict } from '../render/conflict.ts'
import { look, storeFlag } from '../session.ts'
import { readEvents } from '../store.ts'

/** `tissue conflicts`: what two clones wrote without having seen each other, and claims that two made. */
export const conflicts = defineVerb({
  summary: 'List what two clones wrote without having seen each other',
  flags: {
    ...limitFlag(50),
    ...storeFlag,
  },
  examples: ['tissue conflicts', 'tissue conflicts --quiet'],
  run(call) {
    const { flags, output } = call
    const { store, ledger } = look(call)
    const found = findConflicts(ledger, viewsOf(ledger), (ids) => signaturesOf(readEvents(store.log), ids))
    output.list(firstOf(output, found, flags.limit), { ...shownConflict, empty: 'no conflicts' })
    return undefined
  },
})
