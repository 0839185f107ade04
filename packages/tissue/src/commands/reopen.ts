import { defineVerb } from '@switchyard/cli-kit'
import { decideReopen } from '../change/close.ts'
import { findEvenDeleted, findIssues, viewsOf } from '../issue/issue.ts'
import { asOne } from '../log/draft.ts'
import { printAsked, shownId } from '../render/issue-line.ts'
import { reopenFlags } from '../schema/verb-flags.ts'
import { authorFlags, change } from '../session/session.ts'

/** `tissue reopen`: opens closed issues and duplicates again, all or none; one that is not over stays as it is. */
export const reopen = defineVerb({
  summary: 'Open closed issues again, and bring back deleted ones',
  args: [{ name: 'id', summary: 'Ids, or the beginnings of their last parts', rest: true, complete: 'over' }],
  flags: {
    ...reopenFlags,
    ...authorFlags,
  },
  examples: ['tissue reopen k3vd --reason "it fails again"'],
  async run(call) {
    const { args, flags, output } = call
    const { ledger } = await change(call, (before) => {
      const ids = args.id.map((name) => findEvenDeleted(before, name))
      return asOne(decideReopen(before, ids, flags))
    })
    const { view } = viewsOf(ledger)
    const issues = findIssues(ledger, args.id).map(view)
    printAsked(output, issues, { shown: shownId, isList: args.id.length > 1 })
    return undefined
  },
})
