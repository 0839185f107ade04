// A run on `scope:feed`, where the sessions of all tools are told of. The record comes first, then the feed, which is a
// hint: it never fails a run, and what a killed writer did not tell, the next one does.
import process from 'node:process'
import { isFailure, systemCode } from '@switchyard/ground/failure'
import { processOf, type WholeName } from '@switchyard/ground/process-name'
import { findById, postMessages, readMessages, readMessagesBackwards, type Store } from '@switchyard/topic'
import { type LoopEvent, loopEvent } from '../state/event-schema.ts'
import type { ToldEvent } from '../state/fold-session-run.ts'
import { renderEvent } from '../state/render-event.ts'
import { type SessionDraft, sessionEventsOf } from '../state/session-events.ts'

const feedTopic = 'scope:feed'
/** So far back is looked for events that were never told. */
const missedMax = 200

type Started = Extract<LoopEvent, { event: 'started' }>
type Told = ToldEvent & { readonly from: string }

/** Tells the feed of events that the record of one run, its `topic`, has by now, at least once each. */
export function openFeed(bus: Store, topic: string): (told: Told) => Promise<void> {
  let isCaughtUp = false
  let started: Started | undefined
  let writer: WholeName | undefined
  const draftsOf = ({ event }: ToldEvent) => {
    if (started === undefined) return []
    writer ??= processOf(process.pid)
    return sessionEventsOf({ started, writer }, event)
  }
  const tell = async (told: Told) => {
    const drafts = draftsOf(told)
    if (drafts.length > 0) await post(bus, told, drafts)
  }
  return (told) =>
    orNotAtAll(async () => {
      started ??= told.event.event === 'started' ? told.event : startOf(bus, topic)
      if (started === undefined) return
      if (!isCaughtUp) for (const one of missedBefore(bus, topic, told.id, draftsOf)) await tell(one)
      isCaughtUp = true
      await tell(told)
    })
}

/** What the disk refuses is not told. */
async function orNotAtAll(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isFailure(error) && systemCode(error) === undefined) throw error
  }
}

function startOf(bus: Store, topic: string): Started | undefined {
  for (const { message } of readMessages(bus, topic)) {
    const event = loopEvent.safeParse(message.data).data
    if (event?.event === 'started') return event
  }
  return undefined
}

/** What stands in the record before an event and not on the feed, oldest first: back to the last that was told. */
function missedBefore(
  bus: Store,
  topic: string,
  id: string,
  draftsOf: (told: ToldEvent) => readonly SessionDraft[],
): Told[] {
  const missed: Told[] = []
  let isBefore = false
  for (const { message } of readMessagesBackwards(bus, topic)) {
    const event = isBefore ? loopEvent.safeParse(message.data).data : undefined
    isBefore ||= message.id === id
    if (event === undefined) continue
    const told = { id: message.id, at: message.at, from: message.from, event }
    if (draftsOf(told).length === 0) continue
    if (missed.length === missedMax || findById(bus, feedTopic, message.id) !== undefined) break
    missed.push(told)
  }
  return missed.reverse()
}

/** All that follows from one event in one write: the first has its id, the others a number behind it. */
async function post(bus: Store, { id, at, from, event }: Told, drafts: readonly SessionDraft[]): Promise<void> {
  const body = renderEvent(event)
  const messages = drafts.map((draft, place) => {
    const own = place === 0 ? id : `${id}.${place}`
    return { id: own, from, body, data: { v: 1, id: own, at, by: 'loop', ...draft } }
  })
  await postMessages(bus, feedTopic, messages, at, { durable: false })
}
