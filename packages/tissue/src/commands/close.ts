import { defineVerb } from '@switchyard/cli-kit'
import { decideClose } from '../close.ts'
import type { Ledger } from '../fold.ts'
import { findIssue, viewsOf } from '../issue.ts'
import { shownId } from '../render.ts'
import { authorFlags, change } from '../session.ts'

/** `tissue close`: closes issues, all or none. Exits 5 when one is blocked or held by another, unless forced. */
export const close = defineVerb({
  summary: 'Close issues',
  args: [{ name: 'id', summary: 'Ids, or the beginnings of their last parts', rest: true }],
  flags: {
    reason: { type: 'string', short: 'm', value: 'TEXT', summary: 'Why, or how' },
    fence: { type: 'string', value: 'CLAIM', summary: 'Only while this claim is current' },
    force: { type: 'boolean', summary: 'Even when blocked, or held by another' },
    ...authorFlags,
  },
  examples: ['tissue close k3vd --reason "fixed in a1b2c3"', 'tissue list --tag stale --quiet | xargs -r tissue close'],
  async run(call) {
    const { args, flags, output } = call
    const find = (ledger: Ledger) => args.id.map((name) => findIssue(ledger, name))
    const { ledger } = await change(call, (before, actor) => {
      return decideClose(before, find(before), actor, flags)
    })
    const views = viewsOf(ledger)
    const closed = [...new Set(find(ledger))].map(views.view)
    const [only] = closed
    if (args.id.length === 1 && only) output.one(only, shownId)
    else output.list(closed, shownId)
    return undefined
  },
})
