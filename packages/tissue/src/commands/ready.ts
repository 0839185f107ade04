import { defineVerb } from '@switchyard/cli-kit'
import { choiceFlags, readChoice } from '../choice.ts'
import { viewsOf } from '../issue.ts'
import { readyIds } from '../ready.ts'
import { shownRows } from '../render.ts'
import { authorFlags, look, nameOf } from '../session.ts'

/**
 * `tissue ready`: what can be worked on now, most urgent first, then oldest. An issue whose lease ran out is ready
 * again.
 */
export const ready = defineVerb({
  summary: 'List issues that are open, unblocked, not deferred and held by nobody',
  flags: {
    limit: { type: 'integer', short: 'n', value: 'N', min: 1, max: 100_000, default: 50, summary: 'At most so many' },
    mine: { type: 'boolean', summary: 'Only those assigned to me, or to nobody' },
    ...choiceFlags,
    ...authorFlags,
  },
  examples: ['tissue ready', 'tissue ready --limit 1 --quiet', "tissue ready --mine --query 'priority<=2'"],
  async run(call) {
    const { flags, output } = call
    const choice = await readChoice(flags)
    const { ledger } = look(call, { openOnly: [] })
    const now = call.now()
    const found = readyIds(
      ledger,
      now,
      choice(ledger, now, () => nameOf(call)),
    )
    const { view } = viewsOf(ledger)
    if (found.length > flags.limit) output.note(`${flags.limit} of ${found.length} shown; --limit shows more`)
    const shown = found.slice(0, flags.limit).map(view)
    output.list(shown, { ...(await shownRows(output, shown, now)), empty: 'nothing is ready' })
    return undefined
  },
})
