import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import type { Actor } from '../change/fence.ts'
import { decideRelease } from '../change/release.ts'
import { findIssues, viewsOf } from '../issue/issue.ts'
import { asOne } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { printAsked, shownId } from '../render/issue-line.ts'
import { releaseFlags } from '../schema/verb-flags.ts'
import { authorFlags, change } from '../session/session.ts'

/** `tissue release`: gives claimed issues back, all or none. Exits 5 when another holds one, unless forced. */
export const release = defineVerb({
  summary: 'Give issues back: they are open again',
  args: [{ name: 'id', summary: 'Ids, or the beginnings of their last parts', rest: true }],
  flags: {
    ...releaseFlags,
    ...authorFlags,
  },
  examples: ['tissue release k3vd', 'tissue release k3vd --to bob --note "needs a database"'],
  async run(call) {
    const { args, flags, output } = call
    if (flags.to === '') throw new Failure('usage', 'expected a name for --to, got an empty one')
    const decide = (before: Ledger, actor: Actor) => {
      const ids = findIssues(before, args.id)
      return asOne(ids.flatMap((id) => decideRelease(before, id, actor, flags)))
    }
    const { ledger, events } = await change(call, decide, { openOnly: args.id })
    const { view } = viewsOf(ledger)
    const issues = findIssues(ledger, args.id).map(view)
    const released = new Set(events.flatMap((event) => (event.type === 'released' ? [event.issue] : [])))
    for (const { id, short } of issues) {
      if (!released.has(id))
        output.note(`${short} was not claimed${flags.note === undefined ? '' : '; no note was left'}`)
    }
    printAsked(output, issues, { shown: shownId, isList: args.id.length > 1 })
    return undefined
  },
})
