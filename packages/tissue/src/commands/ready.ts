import { defineVerb } from '@switchyard/cli-kit'
import { viewsOf } from '../issue.ts'
import { readyIds } from '../ready.ts'
import { shownRow } from '../render.ts'
import { look, storeFlag } from '../session.ts'

/**
 * `tissue ready`: what can be worked on now, most urgent first, then oldest. An issue whose lease ran out is ready
 * again.
 */
export const ready = defineVerb({
  summary: 'List issues that are open, unblocked and held by nobody',
  flags: {
    limit: { type: 'integer', short: 'n', value: 'N', min: 1, max: 100_000, default: 50, summary: 'At most so many' },
    tag: { type: 'list', short: 't', value: 'TAG', summary: 'Only those with all of these tags' },
    ...storeFlag,
  },
  examples: ['tissue ready', 'tissue ready --limit 1 --quiet'],
  run(call) {
    const { flags, output } = call
    const { ledger } = look(call)
    const now = call.now()
    const views = viewsOf(ledger)
    const found = readyIds(ledger, now, flags.tag)
    if (found.length > flags.limit) output.note(`${flags.limit} of ${found.length} shown; --limit shows more`)
    output.list(found.slice(0, flags.limit).map(views.view), { ...shownRow(now), empty: 'nothing is ready' })
    return undefined
  },
})
