import { defineVerb } from '@switchyard/cli-kit'
import { decideRelease } from '../claim.ts'
import { findIssue, viewsOf } from '../issue.ts'
import { shownId } from '../render.ts'
import { authorFlags, change } from '../session.ts'

/** `tissue release`: gives a claimed issue back. Exits 5 when another holds it. */
export const release = defineVerb({
  summary: 'Give an issue back: it is open again',
  args: [{ name: 'id', summary: 'Id, or the beginning of its last part' }],
  flags: {
    note: { type: 'string', short: 'm', value: 'TEXT', summary: 'Leave a comment for the next one' },
    fence: { type: 'string', value: 'CLAIM', summary: 'Only while this claim is current' },
    ...authorFlags,
  },
  examples: ['tissue release k3vd', 'tissue release k3vd --note "needs a database"'],
  async run(call) {
    const { args, flags, output } = call
    const { ledger, events } = await change(call, (before, actor) => {
      return decideRelease(before, findIssue(before, args.id), actor, flags)
    })
    const issue = viewsOf(ledger).view(findIssue(ledger, args.id))
    if (events.length === 0) output.note(`${issue.short} was not claimed`)
    output.one(issue, shownId)
    return undefined
  },
})
