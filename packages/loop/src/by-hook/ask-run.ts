// Asks something of a run: a `control` event on its topic, and the answer to it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Shown } from '@switchyard/cli-kit'
import type { Store } from '@switchyard/topic'
import { postEvent, readEvents } from '../record/journal.ts'
import type { LoopEvent } from '../state/event-schema.ts'
import type { RunStatus } from '../state/status-schema.ts'
import type { ControlResult } from './control-schema.ts'

type Control = Extract<LoopEvent, { event: 'control' }>

const pollMs = 100

/** Posts the request, and waits for its answer as long as `waitMs`. */
export async function askRun(
  store: Store,
  { run }: Pick<RunStatus, 'run'>,
  control: Control,
  { now, waitMs }: { now: () => number; waitMs: number },
): Promise<ControlResult> {
  const id = await postEvent(store, run, { event: control, from: control.by, at: now() })
  const until = now() + waitMs
  for (;;) {
    const answer = answerTo(store, run, id)
    if (answer !== null || now() >= until) return { run, command: control.command, request: id, answer }
    await sleep(pollMs)
  }
}

/** What a request came to; null while nobody has answered. */
export function answerTo(store: Store, run: string, request: string): string | null {
  for (const { event } of readEvents(store, run)) {
    if (event.event === 'answered' && event.request === request) return event.result
  }
  return null
}

/** A line a run. */
export const shownControl: Shown<ControlResult> = {
  text: ({ run, command, answer }) => `${run}  ${command}  ${answer ?? 'asked; heard when the agent stops next'}`,
  id: ({ request }) => request,
}
