import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideClose, decideNextAfter } from '../change/close.ts'
import type { Actor } from '../change/fence.ts'
import { findIssue, findIssues, viewsOf } from '../issue/issue.ts'
import { asOne } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { readChoice } from '../query/choice.ts'
import { printAsked, shownId } from '../render/issue-line.ts'
import { closeFlags } from '../schema/verb-flags.ts'
import { authorFlags, change } from '../session/session.ts'
import { noteTaken } from '../view/taken.ts'

/**
 * `tissue close`: closes issues, all or none; with --claim-next prints the issue it took instead. Exits 5 when one is
 * blocked, has open children or is held by another, unless forced.
 */
export const close = defineVerb({
  summary: 'Close issues',
  args: [{ name: 'id', summary: 'Ids, or the beginnings of their last parts', rest: true }],
  flags: {
    ...closeFlags,
    'claim-next': { type: 'boolean', summary: 'Take the next one that is ready in the same write, and print it' },
    ...authorFlags,
  },
  examples: ['tissue close k3vd --reason "fixed in a1b2c3"', 'tissue list --tag stale --quiet | xargs -r tissue close'],
  async run(call) {
    const { args, flags } = call
    const same = flags['duplicate-of']
    const heir = flags['superseded-by']
    if (same !== undefined && heir !== undefined)
      throw new Failure('usage', 'expected --duplicate-of or --superseded-by, got both')
    const choice = await readChoice({ tag: [], type: [], mine: true })
    const decide = (before: Ledger, actor: Actor) => {
      const ids = findIssues(before, args.id)
      const named = (name: string | undefined) => (name === undefined ? undefined : findIssue(before, name))
      const { reason, fence, force } = flags
      const ending = { reason, fence, force, duplicateOf: named(same), supersededBy: named(heir) }
      const drafts = decideClose(before, ids, actor, ending)
      const isMeant = choice(before, actor.at, () => actor.by)
      return asOne(flags['claim-next'] ? [...drafts, ...decideNextAfter(before, drafts, actor, isMeant)] : drafts)
    }
    const need = same === undefined && heir === undefined ? { openOnly: args.id } : 'everything'
    const { ledger, events } = await change(call, decide, need)
    const { view } = viewsOf(ledger)
    const closed = findIssues(ledger, args.id).map(view)
    if (!flags['claim-next']) printAsked(call.output, closed, { shown: shownId, isList: args.id.length > 1 })
    else {
      const taken = events.flatMap((event) => (event.type === 'claimed' ? [view(event.issue)] : []))
      for (const issue of taken) {
        noteTaken(call, issue, events)
        call.output.one(issue, shownId)
      }
      if (taken.length === 0) call.output.note('closed; nothing is ready')
    }
    return undefined
  },
})
