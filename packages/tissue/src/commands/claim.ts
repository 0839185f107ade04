import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideClaim, decideNextClaim, type Wish } from '../change/claim.ts'
import type { Actor } from '../change/fence.ts'
import { findIssue, getState, viewsOf } from '../issue/issue.ts'
import { asOne, type Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { readChoice } from '../query/choice.ts'
import { choiceFlags, narrows, needOf } from '../query/choice-flags.ts'
import { printAsked, shownId, shownUntil } from '../render/issue-line.ts'
import type { Issue } from '../schema/schemas.ts'
import { claimFlags } from '../schema/verb-flags.ts'
import { authorFlags, change, type StoreScene } from '../session/session.ts'
import { checkTtl, noteTaken } from '../view/taken.ts'

/**
 * `tissue claim`: takes an issue for as long as the lease, or renews it for its holder, and prints it. Exits 5,
 * naming the holder, when another has it or a path of --lease; with --next 3 when nothing is ready. With --renew it
 * takes nothing, keeps a claim or all of them and prints until when: 5 when it is another's by now, or over, and 3 when
 * there is none to keep.
 */
export const claim = defineVerb({
  summary: 'Take an issue, or keep it longer',
  args: [{ name: 'id', summary: 'Id, or the beginning of its last part', optional: true }],
  flags: {
    next: { type: 'boolean', summary: 'Take the first one that is ready' },
    renew: { type: 'boolean', summary: 'Only keep what I hold, all without an id' },
    ...claimFlags,
    lease: { type: 'list', value: 'GLOB', summary: 'Lease these paths on the bus with it, all or none' },
    ...choiceFlags,
    ...authorFlags,
  },
  examples: ['tissue claim --next', 'tissue claim k3vd --ttl 2h --as ada', 'tissue claim --renew'],
  async run(call) {
    const { args, flags, output } = call
    const name = args.id
    checkTtl(flags.ttl)
    if (flags.renew && (flags.next || flags.lease.length > 0))
      throw new Failure('usage', 'expected --renew without --next or --lease')
    if (!flags.renew && (name === undefined) !== flags.next) {
      throw new Failure('usage', `expected an id or --next, got ${name === undefined ? 'neither' : 'both'}`, {
        hint: 'tissue claim --next takes what comes first',
      })
    }
    if (!flags.next && narrows(flags)) {
      throw new Failure('usage', 'expected --tag, --type, --parent and --query only with --next')
    }
    if (flags.renew) {
      await renew(call, name)
      return undefined
    }
    // What is meant for somebody else is taken by its id, not by chance.
    const choice = await readChoice({ ...flags, mine: true })
    const take = (before: Ledger, actor: Actor, wish: Wish): Draft => {
      if (name !== undefined) return decideClaim(before, getState(before, findIssue(before, name)), actor, wish)
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
    if (isRenewal) await keepPathsOf(call, [view])
    return undefined
  },
})

type Renewal = StoreScene & { readonly flags: { readonly ttl?: number | undefined } }

/** Keeps the claim of this issue, or all that the caller holds, and takes none anew. */
async function renew(call: Renewal, name: string | undefined): Promise<void> {
  const { decideRenewals } = await import('../change/renewal.ts')
  const { ledger, events } = await change(
    call,
    (before, actor) => asOne(decideRenewals(before, name, actor, { ttlMs: call.flags.ttl })),
    { openOnly: name === undefined ? [] : [name] },
  )
  const { view } = viewsOf(ledger)
  const kept = events.flatMap((event) => (event.type === 'claimed' ? [view(event.issue)] : []))
  printAsked(call.output, kept, { shown: shownUntil, isList: name === undefined })
  await keepPathsOf(call, kept)
}

async function keepPathsOf(call: StoreScene, kept: readonly Issue[]): Promise<void> {
  for (const { claim } of kept)
    if (claim?.leases) await (await import('../session/keep-paths.ts')).keepPaths(call, claim)
}
