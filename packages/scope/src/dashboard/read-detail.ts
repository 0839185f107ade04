// What the files of a session tell of it, for the dashboard's detail and log.
import { join } from 'node:path'
import { renderSpan } from '@switchyard/cli-kit/age'
import { readStored } from '@switchyard/ground/disk'
import type { Store } from '@switchyard/topic'
import { marksIn } from '../loop/verdict.ts'
import { parseRubric } from '../rubric/rubric.ts'
import { rubricFile } from '../rubric/rubric-file.ts'
import type { SessionEvent } from '../session/event-schema.ts'
import { readEvents } from '../session/read-session.ts'
import { renderEvent } from '../session/render-event.ts'
import { sessionFolder } from '../session/scope-store.ts'
import type { SessionView } from '../session/session-schema.ts'
import type { Detail, Mark } from './detail.ts'

const resultCharsMax = 64_000
const eventsMax = 30

/** All of it but what git says. */
export function readDetail(store: Store, view: SessionView): Omit<Detail, 'diff' | 'branch'> {
  const events = [...readEvents(store, view.id)]
  return {
    id: view.id,
    result: readResult(store, view.id),
    ...marksOf(store, view, events),
    events: events
      .slice(-eventsMax)
      .reverse()
      .map((event) => ({ at: event.at, text: renderEvent(event) })),
  }
}

/** What happened in a session, a line each, the newest last. */
export const readLog = (store: Store, id: string, now: number): string[] =>
  [...readEvents(store, id)].map(
    (event) => `${renderSpan(Math.max(0, Math.floor((now - event.at) / 1000))).padStart(4)}  ${renderEvent(event)}`,
  )

function readResult(store: Store, id: string): string | null {
  const text = readStored(join(sessionFolder(store, id), 'result'))
  return text === undefined || text === '' ? null : text.slice(0, resultCharsMax)
}

/** The rubric of a loop, with what its last check said of each part. */
function marksOf(store: Store, { id, loop }: SessionView, events: readonly SessionEvent[]) {
  const text = loop === null ? undefined : readStored(rubricFile(store, id))
  if (loop === null || text === undefined) return { gates: [], criteria: [] }
  const { rubric } = parseRubric(text)
  const begun = events.findLastIndex(({ event }) => event === 'iteration')
  const ran = events.slice(Math.max(0, begun)).flatMap((event) => (event.event === 'gate' ? [event] : []))
  const judged = judgedIn(store, `${id}-${loop.iteration}-check`)
  return {
    gates: rubric.gates.map(
      (command): Mark => ({
        text: command,
        passed: ran.find((one) => one.command !== '' && command.startsWith(one.command))?.passed,
      }),
    ),
    criteria: rubric.criteria.map((words, at): Mark => ({ text: words, passed: judged.get(at + 1) })),
  }
}

/** What a judge said of each criterion, by its number: by `scope verdict`, else in its answer. */
function judgedIn(store: Store, judge: string): ReadonlyMap<number, boolean> {
  const said = [...readEvents(store, judge)].findLast(({ event }) => event === 'judged')
  const marks =
    said?.event === 'judged' && said.criteria.length > 0 ? said.criteria : marksIn(readResult(store, judge) ?? '')
  return new Map(marks.map(({ number, passed }) => [number, passed]))
}
