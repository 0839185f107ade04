import { defineVerb } from '@switchyard/cli-kit'
import { interruptedCode } from '@switchyard/cli-kit/interrupted-code'
import { parseMoment } from '@switchyard/cli-kit/moment'
import { Failure } from '@switchyard/ground/failure'
import { follow, type Line, parseRecord } from '@switchyard/jsonl'
import { readAllRecords } from '../compact/archives.ts'
import { findEvenDeleted, shortNames } from '../issue/issue.ts'
import { isVoid, type Ledger } from '../log/fold.ts'
import { isAbout, pastOf, type Read, readPast } from '../log/history.ts'
import { shownPast } from '../render/history.ts'
import type { Past } from '../schema/schemas.ts'
import { noteStrange, notingOnce, storeFlag, storeOf } from '../session/session.ts'

const ulidPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/i

/**
 * `tissue history`: what happened to an issue, or in the store, oldest first; also to issues that were deleted, also
 * what lost, and what a compaction took out of the log. Exits 3 when there is no such issue or event.
 */
export const history = defineVerb({
  summary: 'Show what happened, who did it and what lost',
  args: [{ name: 'id', summary: 'Only this issue; a deleted one, too', optional: true, complete: 'issue' }],
  flags: {
    since: { type: 'string', value: 'WHEN', summary: 'Only what is newer: 2h, a date, or the id of an event (rev)' },
    limit: { type: 'integer', short: 'n', value: 'N', min: 0, max: 1_000_000, default: 50, summary: 'The newest N' },
    follow: { type: 'boolean', short: 'f', summary: 'Go on with what comes, until interrupted' },
    full: { type: 'boolean', summary: 'Bodies and comments whole' },
    ...storeFlag,
  },
  examples: ['tissue history', 'tissue history --since 1d --limit 200'],
  async run(call) {
    const { args, flags, output } = call
    const { log } = storeOf(call)
    const scene = notingOnce(call)
    let damaged = 0
    const lines = [
      ...readAllRecords(log, () => {
        damaged += 1
      }),
    ]
    const { ledger, read, events } = readPast(lines)
    noteStrange(scene, { damaged, ledger })
    const last = lines.findLast(({ isArchived }) => !isArchived)?.line
    const id = args.id === undefined ? undefined : findEvenDeleted(ledger, args.id)
    const past = sinceOf(pastOf(events, ledger), flags.since, call.now()).filter(
      ({ event }) => isWanted(event, id) && (output.mode !== 'text' || isNews(event)),
    )
    if (past.length > flags.limit && !flags.follow)
      output.note(`${flags.limit} of ${past.length} shown; --limit shows more`)
    const shown = flags.limit === 0 ? [] : past.slice(-flags.limit)
    if (!flags.follow) {
      output.list(shown, { ...shownPast(shortNames(ledger), flags.full), empty: 'nothing happened' })
      return undefined
    }
    const print = (one: Past) => output.each(one, shownPast(shortNames(ledger), flags.full))
    for (const one of shown) print(one)
    const signal = call.interrupted()
    const confirmedFirst = claimKeeper(ledger)
    // A file that takes the log's place brings back much that was read; the ledger knows it.
    const from = last ? { inode: last.inode, offset: last.end } : 'start'
    for await (const line of follow(log, { from, signal })) for (const one of readNext(line)) print(one)
    return interruptedCode(signal)

    function readNext(line: Line): Past[] {
      const record = parseRecord(line)
      const found = record ? confirmedFirst(read(record)) : []
      noteStrange(scene, { damaged, ledger })
      return newPast(found, ledger, id).filter(({ event }) => output.mode !== 'text' || isNews(event))
    }
  },
})

/** Keeps a claim back until it counts; one that never does is no news. */
function claimKeeper(ledger: Ledger): (read: readonly Read[]) => Read[] {
  const kept = new Map<string, Read>()
  return (read) =>
    read.flatMap((one) => {
      if (one.isStrange) return one
      const { event } = one
      if (event.type === 'confirmed') return [...[kept.get(event.of) ?? []].flat(), one]
      if (event.type !== 'claimed' || !isVoid(ledger, event)) return one
      kept.set(event.id, one)
      return []
    })
}

function newPast(read: readonly Read[], ledger: Ledger, id: string | undefined): Past[] {
  return pastOf(read, ledger).filter(({ event }) => isWanted(event, id))
}

/** To people a claim that counts is one thing that happened; one that does not is called void. */
function isNews({ type }: Past['event']): boolean {
  return type !== 'confirmed'
}

function isWanted(event: Past['event'], id: string | undefined): boolean {
  return id === undefined || isAbout(event, id)
}

function sinceOf(past: readonly Past[], since: string | undefined, now: number): readonly Past[] {
  if (since === undefined) return past
  const at = past.findIndex(({ event }) => event.id === since)
  if (at >= 0) return past.slice(at + 1)
  if (ulidPattern.test(since)) {
    throw new Failure('notFound', `expected the id of an event, got ${since}, which is none`, {
      hint: 'tissue show --json has the newest as rev',
    })
  }
  const moment = parseMoment(since, now)
  return past.filter(({ event }) => event.at >= moment)
}
