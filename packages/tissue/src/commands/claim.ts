import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideClaim, decideNextClaim, type Wish } from '../change/claim.ts'
import type { Actor } from '../change/fence.ts'
import { findIssue, viewsOf } from '../issue/issue.ts'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { readChoice } from '../query/choice.ts'
import { choiceFlags, narrows, needOf } from '../query/choice-flags.ts'
import { shownId } from '../render/issue-line.ts'
import { authorFlags, change } from '../session/session.ts'
import { checkTtl, noteTaken } from '../view/taken.ts'

/**
 * `tissue claim`: takes an issue for as long as the lease, or renews it for its holder, and prints it. Exits 5,
 * naming the holder, when another has it or a path of --lease; with --next 3 when nothing is ready.
 */
export const claim = defineVerb({
  summary: 'Take an issue, or keep it longer',
  args: [{ name: 'id', summary: 'Id, or the beginning of its last part', optional: true }],
  flags: {
    next: { type: 'boolean', summary: 'Take the first one that is ready' },
    ttl: { type: 'duration', summary: 'How long it is mine: as the setting lease says, if not given' },
    lease: { type: 'list', value: 'GLOB', summary: 'Lease these paths on the bus with it, all or none' },
    ...choiceFlags,
    ...authorFlags,
  },
  examples: ['tissue claim --next', 'tissue claim k3vd --ttl 2h --as ada'],
  async run(call) {
    const { args, flags, output } = call
    const name = args.id
    if ((name === undefined) !== flags.next) {
      throw new Failure('usage', `expected an id or --next, got ${name === undefined ? 'neither' : 'both'}`, {
        hint: 'tissue claim --next takes what comes first',
      })
    }
    checkTtl(flags.ttl)
    if (!flags.next && narrows(flags)) {
      throw new Failure('usage', 'expected --tag, --type, --parent and --query only with --next')
    }
    // What is meant for somebody else is taken by its id, not by chance.
    const choice = await readChoice({ ...flags, mine: true })
    const take = (before: Ledger, actor: Actor, wish: Wish): Draft => {
      if (name !== undefined) return decideClaim(before, findIssue(before, name), actor, wish)
      const isMeant = choice(before, actor.at, () => actor.by)
      return decideNextClaim(before, actor, wish, isMeant)
    }
    const need = needOf(flags, name === undefined ? [] : [name])
    const { lease: paths, ttl: ttlMs } = flags
    const { ledger, events } =
      paths.length === 0
        ? await change(call, (before, actor) => [take(before, actor, { ttlMs })], need)
        : await (await import('../session/claim-paths.ts')).claimWithPaths(call, { paths, ttlMs, take, need })
    const view = viewsOf(ledger).view(events.flatMap((event) => ('issue' in event ? [event.issue] : []))[0] ?? '')
    noteTaken(call, view, events)
    // Scripts ask for JSON or the id: they do not pay for what only people read.
    const forPeople = output.mode === 'text' ? await import('../render/whole.ts') : undefined
    output.one(view, forPeople?.shownWhole(call.now()) ?? shownId)
    const isRenewal = events.some((event) => event.type === 'claimed' && event.renews !== undefined)
    if (isRenewal && view.claim?.leases) await (await import('../session/keep-paths.ts')).keepPaths(call, view.claim)
    return undefined
  },
})
