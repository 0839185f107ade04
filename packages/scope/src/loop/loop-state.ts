// The history of a loop as a file, for whoever looks with cat. It follows from the log, which is what counts.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readStored } from '@switchyard/ground/disk'
import { writeWhole } from '@switchyard/ground/whole-file'
import type { Store } from '@switchyard/topic'
import type { SessionEvent } from '../session/event-schema.ts'
import { readEvents, readSession } from '../session/read-session.ts'
import { sessionFolder } from '../session/scope-store.ts'
import { memberId } from './members.ts'

type Verdict = Extract<SessionEvent, { event: 'verdict' }>

const feedbackFile = (store: Store, id: string, iteration: number) =>
  join(sessionFolder(store, id), 'feedback', `${iteration}.md`)

/** What an iteration was told to do better; empty where there is none. */
export const readFeedback = (store: Store, id: string, iteration: number): string =>
  readStored(feedbackFile(store, id, iteration)) ?? ''

export function keepFeedback(store: Store, id: string, iteration: number, feedback: string): void {
  mkdirSync(join(sessionFolder(store, id), 'feedback'), { recursive: true })
  const path = feedbackFile(store, id, iteration)
  writeWhole(path, `${path}.draft`, feedback)
}

/** The verdict of each iteration, the first one first. */
export function verdictsOf(store: Store, id: string): Verdict[] {
  const verdicts = new Map<number, Verdict>()
  for (const event of readEvents(store, id)) if (event.event === 'verdict') verdicts.set(event.iteration, event)
  return [...verdicts.values()].sort((one, other) => one.iteration - other.iteration)
}

/** Writes `loop_state.json`. */
export function keepLoopState(store: Store, id: string): void {
  const session = readSession(store, id)
  if (session?.loop == null) return
  const history = verdictsOf(store, id).map(({ iteration, verdict, checker, gates, criteria, rubric }) => ({
    ...{ iteration, doer_session: memberId(id, iteration, 'do'), checker_session: checker, verdict },
    ...{ gates, criteria, rubric_hash: rubric, feedback: `feedback/${iteration}.md` },
  }))
  const { max, iteration, verdict } = session.loop
  const state = { v: 1, max_iterations: max, current_iteration: iteration, verdict, rubric_path: 'rubric.md', history }
  const path = join(sessionFolder(store, id), 'loop_state.json')
  writeWhole(path, `${path}.draft`, `${JSON.stringify(state, undefined, 2)}\n`)
}
