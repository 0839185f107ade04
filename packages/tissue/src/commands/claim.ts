import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/cli-kit/failure'
import { choiceFlags, narrows, readChoice } from '../choice.ts'
import { decideClaim, decideNextClaim } from '../claim.ts'
import { findIssue, viewsOf } from '../issue.ts'
import { shownWhole } from '../render.ts'
import { authorFlags, change } from '../session.ts'

/**
 * `tissue claim`: takes an issue for as long as the lease, or renews it for its holder, and prints it. Exits 5,
 * naming the holder, when another has it; with --next 3 when nothing is ready.
 */
export const claim = defineVerb({
  summary: 'Take an issue, or keep it longer',
  args: [{ name: 'id', summary: 'Id, or the beginning of its last part', optional: true }],
  flags: {
    next: { type: 'boolean', summary: 'Take the first one that is ready' },
    ttl: { type: 'duration', default: '30m', summary: 'How long it is mine' },
    ...choiceFlags,
    ...authorFlags,
  },
  examples: ['tissue claim --next', 'tissue claim k3vd --ttl 2h --as ada'],
  async run(call) {
    const { args, flags, output } = call
    const name = args.id
    if ((name === undefined) !== flags.next) {
      throw new Failure('usage', `expected an id or --next, got ${name === undefined ? 'neither' : 'both'}`)
    }
    if (flags.ttl < 1) throw new Failure('usage', 'expected a --ttl of at least 1ms, got none')
    if (!flags.next && narrows(flags)) {
      throw new Failure('usage', 'expected --tag, --type, --parent and --query only with --next')
    }
    // What is meant for somebody else is taken by its id, not by chance.
    const choice = await readChoice({ ...flags, mine: true })
    const { ledger, events } = await change(call, (before, actor) => [
      name === undefined
        ? decideNextClaim(
            before,
            actor,
            flags.ttl,
            choice(before, actor.at, () => actor.by),
          )
        : decideClaim(before, findIssue(before, name), actor, flags.ttl),
    ])
    const issue = viewsOf(ledger).view(
      events.flatMap((event) => (event.type === 'claimed' ? event.issue : []))[0] ?? '',
    )
    if (issue.blocked_by.length > 0) output.note(`${issue.short} still waits for ${issue.blocked_by.join(', ')}`)
    output.one(issue, shownWhole(call.now()))
    return undefined
  },
})
