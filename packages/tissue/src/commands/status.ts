import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideStatus } from '../change/close.ts'
import type { Actor } from '../change/fence.ts'
import { parseStatus } from '../change/parse-status.ts'
import { findIssue, viewsOf } from '../issue/issue.ts'
import { asOne } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { shownId } from '../render/issue-line.ts'
import { statuses } from '../schema/event.check.ts'
import { statusFlags } from '../schema/verb-flags.ts'
import { authorFlags, change } from '../session/session.ts'

/** `tissue status`: moves an issue to a status. Exits 5 when another agent holds it, unless forced. */
export const status = defineVerb({
  summary: 'Change the status of an issue',
  args: [
    { name: 'id', summary: 'Id, or the beginning of its last part' },
    { name: 'status', summary: statuses.join(', ') },
  ],
  flags: {
    ...statusFlags,
    ...authorFlags,
  },
  examples: ['tissue status k3vd paused --reason "waits for the design"', 'tissue status k3vd open --json'],
  async run(call) {
    const { args, flags, output } = call
    if (isStatus(args.id) && !isStatus(args.status)) {
      throw new Failure('usage', 'expected <id> and then <status>, got them the other way round', {
        hint: `tissue status ${args.status} ${args.id}`,
      })
    }
    const wanted = parseStatus(args.status)
    const decide = (before: Ledger, actor: Actor) =>
      asOne(decideStatus(before, findIssue(before, args.id), wanted, actor, flags))
    const { ledger } = await change(call, decide, { openOnly: [args.id] })
    output.one(viewsOf(ledger).view(findIssue(ledger, args.id)), shownId)
    return undefined
  },
})

function isStatus(word: string): boolean {
  return statuses.some((status) => status === word)
}
