import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideHeartbeat, heldBy } from '../change/claim.ts'
import type { Actor } from '../change/fence.ts'
import { findIssue, viewsOf } from '../issue/issue.ts'
import { asOne } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { printAsked, shownUntil } from '../render/issue-line.ts'
import { authorFlags, change } from '../session/session.ts'
import { checkTtl } from '../view/taken.ts'

/**
 * `tissue heartbeat`: keeps a claim, or all of them, for longer and prints until when. Exits 5 when it is another's by
 * now, or over; 3 when there is none to keep.
 */
export const heartbeat = defineVerb({
  summary: 'Keep what I hold for longer',
  args: [
    { name: 'id', summary: 'Id, or the beginning of its last part; all that I hold if not given', optional: true },
  ],
  flags: {
    ttl: { type: 'duration', summary: 'How long from now: as long as it was claimed for, if not given' },
    ...authorFlags,
  },
  examples: ['tissue heartbeat', 'tissue heartbeat k3vd --ttl 2h'],
  async run(call) {
    const { args, flags, output } = call
    const name = args.id
    checkTtl(flags.ttl)
    const decide = (before: Ledger, actor: Actor) => {
      const ids = name === undefined ? heldBy(before, actor) : [findIssue(before, name)]
      if (ids.length === 0)
        throw new Failure('notFound', `expected an issue that ${actor.by} holds, there is none`, {
          hint: 'take one with tissue claim --next',
        })
      return asOne(ids.map((id) => decideHeartbeat(before, id, actor, { ttlMs: flags.ttl })))
    }
    const { ledger, events } = await change(call, decide, { openOnly: name === undefined ? [] : [name] })
    const { view } = viewsOf(ledger)
    const kept = events.flatMap((event) => (event.type === 'claimed' ? [view(event.issue)] : []))
    printAsked(output, kept, { shown: shownUntil, isList: name === undefined })
    for (const { claim } of kept)
      if (claim?.leases) await (await import('../session/keep-paths.ts')).keepPaths(call, claim)
    return undefined
  },
})
