// What could not land yet, tried again.
import { notQueuedHere, readEntries } from '../land/queue.ts'
import type { ListedEntry } from '../land/queue-schema.ts'
import type { IssueResult } from '../state/event-schema.ts'
import { type Hand, openAndLand, openPlaces, type Wanted } from './open-by-hand.ts'

/** Lands all that is queued or parked as it was to land, one after the other; `verify` stands in for what was to verify. */
export async function landQueued(
  hand: Hand,
  verify: string | undefined,
  onResult: (result: IssueResult) => void,
): Promise<void> {
  const { repository } = await openPlaces(hand)
  const known = readEntries(repository.commonDir, hand.env)
  for (const entry of known.filter(({ made_here }) => !made_here)) hand.note(notQueuedHere(entry))
  for (const entry of known.filter(({ made_here }) => made_here)) {
    hand.stop.throwIfAborted()
    const silent = { base: undefined, verify, keep: false, landing: {} }
    onResult(await openAndLand(hand, asQueued({ change: entry.branch, ...silent }, entry)))
  }
}

/** What is wanted of a change that is in the queue: where nobody says otherwise, as it was to land. */
export async function wantedOfQueued(wanted: Wanted, world: Pick<Hand, 'cwd' | 'env'>): Promise<Wanted> {
  const { repository } = await openPlaces(world)
  const isMeant = ({ issue, branch }: ListedEntry) => wanted.change === issue || wanted.change === branch
  const entry = readEntries(repository.commonDir, world.env).find((one) => one.made_here && isMeant(one))
  return entry === undefined ? wanted : asQueued(wanted, entry)
}

function asQueued({ change, base, verify, keep, landing }: Wanted, entry: ListedEntry): Wanted {
  return {
    ...{ change, keep, base: base ?? entry.base, verify: verify ?? entry.verify ?? undefined },
    landing: {
      push: landing.push ?? entry.push ?? false,
      strategy: landing.strategy ?? entry.strategy,
      pr: landing.pr,
    },
  }
}
