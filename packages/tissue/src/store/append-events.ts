// The write itself, inside the section: append, read back, and only then say what came of it. Who came first the order
// of lines tells, at which only the writers of one store look; what the log means does not depend on it.
import { Failure, isFailure } from '@switchyard/ground/failure'
import { appendLines } from '@switchyard/jsonl'
import type { Need } from '../cache/need.ts'
import { catchUp, catchUpWith, type Fate, type Fates, type LogReading } from '../cache/reading.ts'
import type { Draft, NewEntry } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import { refuseLater } from '../log/refuse-later.ts'
import { type ClaimStart, isClaimStart, losesBefore, losesUnconfirmed, type Rivals } from '../log/rivals.ts'
import { type Author, type NewLine, singlesOf, writeLines } from '../log/write-lines.ts'
import { isKnownEvent } from '../schema/event.check.ts'
import type { SingleEvent } from '../schema/event-schema.ts'

/** What a verb wants written, given what is in the log. Called again inside the section, so it must not act. */
export type Decide = (ledger: Ledger) => readonly NewEntry[]

/** `onAppend` is told what is about to be appended. */
export type AppendOptions = {
  readonly need: Need
  readonly onAppend?: ((lines: readonly NewLine[]) => void) | undefined
}

/** What a write came to: our own events, the ids of the issues that are new with it, and the log after it. */
export type Written = { readonly events: SingleEvent[]; readonly created: string[]; readonly reading: LogReading }

/**
 * Appends what `decide` asks for behind `reading`, and confirms the claims in it once it is sure that nobody was
 * before. Exits 5 when somebody was; then no claim of ours counts, and what was done under one is taken back.
 */
export function appendEvents(
  log: string,
  author: Author,
  decide: Decide,
  reading: LogReading,
  { need, onAppend }: AppendOptions,
): Written {
  const current = catchUp(log, reading, need)
  const lines = writeLines(decide(current.ledger), current.ledger, author)
  if (lines.length === 0) return { events: [], created: [], reading: current }
  refuseLater(current.ledger)
  const events = lines.flatMap(({ event }) => (event ? singlesOf(event) : []))
  const seen = factsSeen(current.ledger, events)
  onAppend?.(lines)
  const { fates, after } = appendAndRead(log, current, lines)
  const created = lines.flatMap(({ id }) => createdIn(fates.get(id)))
  const last = lines.at(-1)?.id
  const lost = events.filter((event) => losesBefore(event, rivalsIn(fates, lines, seen, { until: last })))
  if (lost.length > 0) return refuse(log, after, { author, decide, events, lost: lost.filter(isNoClaim), isLost: lost })
  const claims = events.filter(isClaimStart)
  if (claims.length === 0) return { events, created, reading: after }
  const confirms = writeLines(claims.map(confirmOf), after.ledger, author)
  const confirmed = appendAndRead(log, after, confirms)
  const between = [
    ...rivalsIn(fates, lines, seen, { from: last }),
    ...rivalsIn(confirmed.fates, [...lines, ...confirms], seen, { until: confirms.at(-1)?.id }),
  ]
  const late = claims.filter((claim) => losesUnconfirmed(claim, between))
  if (late.length > 0) return refuse(log, confirmed.after, { author, decide, events, lost: claims, isLost: late })
  return { events, created, reading: confirmed.after }
}

function appendAndRead(
  log: string,
  current: LogReading,
  lines: readonly NewLine[],
): { fates: Fates; after: LogReading } {
  appendLines(
    log,
    lines.map(({ text }) => text),
  )
  const fates: Fates = new Map()
  return { after: catchUpWith(log, current, fates), fates }
}

function confirmOf({ issue, id }: ClaimStart): Draft {
  return { type: 'confirmed', issue, of: id }
}

/** What was known of the status and the claims of these issues when it was decided. */
function factsSeen({ issues }: Ledger, events: readonly SingleEvent[]): ReadonlySet<string> {
  const states = new Set(events.flatMap((event) => ('issue' in event ? issues.get(event.issue) : undefined) ?? []))
  return new Set([...states].flatMap(({ facts }) => facts.map(({ id }) => id)))
}

/** What others have written that was not seen, in the order of lines, between these lines of ours. */
function rivalsIn(
  fates: Fates,
  own: readonly NewLine[],
  seen: ReadonlySet<string>,
  { from, until }: { from?: string | undefined; until?: string | undefined },
): Rivals {
  const ids = [...fates.keys()]
  const start = from === undefined ? 0 : ids.indexOf(from) + 1
  const end = until === undefined ? ids.length : ids.indexOf(until)
  const mine = new Set<unknown>(own.map(({ id }) => id))
  return [...fates.values()].slice(start, end).flatMap(({ record }) => {
    if (mine.has(record['id']) || !isKnownEvent(record)) return []
    return singlesOf(record).filter(({ id }) => !seen.has(id))
  })
}

type Refused = {
  readonly author: Author
  readonly decide: Decide
  readonly events: readonly SingleEvent[]
  /** What is taken back, and what lost. */
  readonly lost: readonly SingleEvent[]
  readonly isLost: readonly SingleEvent[]
}

function refuse(log: string, after: LogReading, { author, decide, events, lost, isLost }: Refused): never {
  const drafts = lost.flatMap((event): Draft[] =>
    'issue' in event ? [{ type: 'withdrawn', issue: event.issue, of: event.id }] : [],
  )
  const lines = writeLines(drafts, after.ledger, author)
  appendLines(
    log,
    lines.map(({ text }) => text),
  )
  const { ledger } = catchUp(log, after, 'everything')
  const isPartly = events.some((event) => !isLost.includes(event) && !isClaimStart(event))
  refuseVoid(decide, ledger, isPartly)
}

function isNoClaim(event: SingleEvent): boolean {
  return !isClaimStart(event)
}

function createdIn(fate: Fate | undefined): string[] {
  if (fate?.verdict !== 'applied' || !isKnownEvent(fate.record)) return []
  return singlesOf(fate.record).flatMap((event) => (event.type === 'created' ? event.issue : []))
}

function refuseVoid(decide: Decide, ledger: Ledger, isPartly: boolean): never {
  let reason = 'expected to be first, another writer was'
  try {
    // Deciding again on what is there now gives the reason: it names the one who came first.
    decide(ledger)
  } catch (error) {
    if (!isPartly || !isFailure(error)) throw error
    reason = error.message
  }
  // Under a lock that did not lock only the acts of a claim are void: to do the whole batch again would do it twice.
  if (isPartly)
    throw new Failure('conflict', reason, {
      hint: 'the rest was written; see it with tissue history',
      retryable: false,
    })
  throw new Failure('conflict', reason, { hint: 'look again with tissue show' })
}
