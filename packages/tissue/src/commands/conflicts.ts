import { defineVerb } from '@switchyard/cli-kit'
import { viewsOf } from '../issue/issue.ts'
import { shownConflict } from '../render/conflict.ts'
import { look, storeFlag } from '../session/session.ts'
import { readEvents } from '../store/store.ts'
import { firstOf, limitFlag } from '../text/limit.ts'
import { findConflicts, signaturesOf } from '../view/conflicts.ts'

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
