// How a run is spoken to while it works: `control` events on its own topic, each answered once.
import { type Progress, readOn } from '@switchyard/jsonl'
import { busExists, readMessages, type Store } from '@switchyard/topic'
import { type Journal, runTopic } from '../record/journal.ts'
import { loopEvent } from '../state/event-schema.ts'
import { type Control, type ControlState, type ControlsOptions, openState } from './control-state.ts'

export type Controls = Omit<ControlState, 'apply'> & {
  /** Takes up and answers what has been asked since the last time. */
  poll(): Promise<void>
  close(): void
}

const pollMs = 500

/** Looks twice a second, so that a cancellation ends a runner that is at work. */
export function openControls(bus: Store, run: string, journal: Journal, options: ControlsOptions): Controls {
  const inbox = openInbox(bus, run)
  const state = openState(options)
  const look = async () => {
    if (!busExists(bus)) return
    for (const { id, control } of inbox()) {
      await journal.tell({ event: 'answered', request: id, result: state.apply(control) })
    }
  }
  let turn = Promise.resolve()
  const poll = () => {
    turn = turn.then(look)
    return turn
  }
  const timer = setInterval(() => poll().catch(() => undefined), pollMs)
  const { apply: _, ...asked } = state
  return Object.assign(asked, { poll, close: () => clearInterval(timer) })
}
/** Gives, each time it is called, the requests that nobody has answered and that it has not given yet. */
function openInbox(bus: Store, run: string): () => { id: string; control: Control }[] {
  let progress: Progress = []
  return () => {
    const asked = new Map<string, Control>()
    const reading = readOn(progress)
    for (const { message, line } of readMessages(bus, runTopic(run), { from: reading })) {
      reading.pass(line.end)
      const event = loopEvent.safeParse(message.data)
      if (!event.success) continue
      if (event.data.event === 'control') asked.set(message.id, event.data)
      if (event.data.event === 'answered') asked.delete(event.data.request)
    }
    progress = reading.progress()
    return [...asked].map(([id, control]) => ({ id, control }))
  }
}
