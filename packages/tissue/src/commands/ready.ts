import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { findIssues, viewsOf } from '../issue/issue.ts'
import { readChoice } from '../query/choice.ts'
import { choiceFlags, needOf } from '../query/choice-flags.ts'
import { readyIds } from '../ready/ready.ts'
import { shownRows } from '../render/issue-line.ts'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { firstOf, limitFlag } from '../text/limit.ts'

/**
 * `tissue ready`: what can be worked on now, most urgent first, then oldest. An issue whose lease ran out is ready
 * again. With --explain every issue that is not over, and why it is ready or not; exits 3 and 4 as `findIssue` does.
 */
export const ready = defineVerb({
  summary: 'List issues that can be started: open, unblocked and free',
  args: [{ name: 'id', summary: 'With --explain: only these issues', optional: true, rest: true }],
  flags: {
    explain: { type: 'boolean', summary: 'Every open issue, and why it is ready or not' },
    ...limitFlag(50),
    mine: { type: 'boolean', summary: 'Only those assigned to me, or to nobody' },
    ...choiceFlags,
    ...authorFlags,
  },
  examples: [
    'tissue ready',
    'tissue ready --explain',
    'tissue ready --limit 1 --quiet',
    "tissue ready --mine --query 'priority<=2'",
  ],
  async run(call) {
    const { args, flags, output } = call
    if (args.id.length > 0 && !flags.explain) {
      throw new Failure('usage', `expected an id only with --explain, got "${args.id[0]}"`)
    }
    // Explained, what is assigned to another is there, and that is why it is not ready.
    const choice = await readChoice({ ...flags, mine: flags.mine && !flags.explain })
    const { ledger } = look(call, needOf(flags, args.id))
    const now = call.now()
    const me = () => nameOf(call)
    const isMeant = choice(ledger, now, me)
    if (flags.explain) {
      const { explainIssues } = await import('../view/explain.ts')
      const named = findIssues(ledger, args.id)
      const whom = flags.mine ? me() : undefined
      explainIssues(output, { ledger, now, isMeant, named, limit: flags.limit, me: whom })
      return undefined
    }
    const found = readyIds(ledger, now, isMeant)
    const { view } = viewsOf(ledger)
    const shown = firstOf(output, found, flags.limit).map(view)
    output.list(shown, { ...(await shownRows(output, shown, now)), empty: 'nothing is ready' })
    return undefined
  },
})
