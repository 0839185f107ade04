import { Failure } from '@switchyard/ground/failure'
import { busExists, createBus, postMessage, readMessages, readMessagesBackwards, type Store } from '@switchyard/topic'
import { type LoopEvent, loopEvent } from '../state/event-schema.ts'
import { foldRun } from '../state/fold-run.ts'
import { redactTexts } from '../state/redact-event.ts'
import { renderEvent } from '../state/render-event.ts'
import type { RunStatus } from '../state/status-schema.ts'

/** The bus as a run sees it: its own topic, and the newest state of all runs on `loop:current`. */
export type Journal = {
  /** Failure `failed` when the bus was removed since the run began. */
  record(event: LoopEvent): Promise<void>
  /** False once the bus was removed. */
  isThere(): boolean
}

const currentTopic = 'loop:current'
export const runTopic = (run: string) => `loop:run:${run}`

type Clock = () => number

/**
 * Makes the bus when there is none. `onEvent` sees each event once it is recorded; `before` is how the run stood when it
 * was left.
 */
export function openJournal(
  store: Store,
  run: string,
  now: Clock,
  onEvent: (event: LoopEvent) => void,
  before?: RunStatus,
): Journal {
  if (!busExists(store)) createBus(store)
  let status = before
  return {
    async record(event) {
      if (!busExists(store)) {
        throw new Failure('failed', `the bus ${store.path} was removed during the run; its events are lost`, {
          hint: 'claims were given back and worktrees removed; run it again',
        })
      }
      const at = now()
      const from = 'worker' in event ? event.worker : `loop-${run}`
      await postMessage(store, { topic: runTopic(run), from, body: renderEvent(event), data: event }, at)
      status = foldRun(status, event, at)
      if (status !== undefined) await postMessage(store, snapshot(status, from), at)
      onEvent(event)
    },
    isThere: () => busExists(store),
  }
}

/** A journal that takes the secrets out of what it records. */
export function withoutSecrets(journal: Journal, redact: (text: string) => string): Journal {
  return { ...journal, record: (event) => journal.record(redactTexts(event, redact)) }
}

/** Adds an event to the topic of another run, which is dead. */
export async function recordFor(store: Store, run: string, event: LoopEvent, at: number): Promise<void> {
  if (!busExists(store)) return
  const from = 'worker' in event ? event.worker : `loop-${run}`
  await postMessage(store, { topic: runTopic(run), from, body: renderEvent(event), data: event }, at)
}

/** What a run recorded, oldest first; messages that are no events are passed over. */
export function* readEvents(store: Store, run: string): Generator<{ id: string; event: LoopEvent; at: number }> {
  for (const { message } of readMessages(store, runTopic(run))) {
    const event = loopEvent.safeParse(message.data)
    if (event.success) yield { id: message.id, event: event.data, at: message.at }
  }
}

/** The state of a run, folded from its topic. */
export function readStatus(store: Store, run: string): RunStatus | undefined {
  let status: RunStatus | undefined
  for (const { event, at } of readEvents(store, run)) status = foldRun(status, event, at)
  return status
}

const snapshotsMax = 1000

/** Runs that moved lately, the newest first. */
export function recentRuns(store: Store): string[] {
  const runs = new Set<string>()
  let looked = 0
  for (const { message } of readMessagesBackwards(store, currentTopic)) {
    const { data } = message
    if (typeof data === 'object' && data !== null && 'run_id' in data && typeof data.run_id === 'string')
      runs.add(data.run_id)
    looked += 1
    if (looked >= snapshotsMax) break
  }
  return [...runs]
}

/** One frame of the stack of `loop:current`: what is worked, the innermost last. */
export type Frame = {
  id: string
  mode: 'task' | 'issue'
  iter: number
  max: number
  issue_id: string | null
  worktree_path: string | null
  branch?: string
  base_ref: string
}

function framesOf(status: RunStatus): Frame[] {
  const { max } = status
  return status.workers.flatMap((worker) =>
    worker.issue_id === null
      ? []
      : [
          {
            id: worker.worker,
            mode: 'issue' as const,
            iter: worker.iteration,
            max,
            issue_id: worker.issue_id,
            worktree_path: worker.worktree,
            base_ref: status.base,
          },
        ],
  )
}

/** The message on `loop:current` that says how a run stands. */
export function snapshot(status: RunStatus, from: string, stack: readonly Frame[] = framesOf(status)) {
  const { run, state, mode, iteration, max, issue_id, worktree, updated_at } = status
  const isOver = state === 'finished' || state === 'dead'
  const data = {
    schema: 1,
    event: isOver ? 'DONE' : 'STATE',
    run_id: run,
    state,
    mode,
    iteration,
    max,
    issue_id,
    worktree,
    updated_at,
    stack,
  }
  return { topic: currentTopic, from, body: `${run} ${state}${issue_id === null ? '' : ` ${issue_id}`}`, data }
}
