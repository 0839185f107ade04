// The record of a run that a session owns. Several processes may write it at once: hooks, and commands from another
// terminal.

import { redactorOf } from '@switchyard/cli-kit/secrets'
import { Failure, isFailure } from '@switchyard/ground/failure'
import { busExists, postMessage, readMessages, type Store } from '@switchyard/topic'
import type { Env } from '../secret/state-folder.ts'
import { type LoopEvent, loopEvent, type Session } from '../state/event-schema.ts'
import { foldSessionRun, type SessionRun } from '../state/fold-session-run.ts'
import { redactTexts } from '../state/redact-event.ts'
import { renderEvent } from '../state/render-event.ts'
import { readBinding } from './binding.ts'
import { type Frame, runTopic, snapshot } from './journal.ts'
import { workerOfSession } from './worker-name.ts'

/** A run that a session owns, as it is on the bus. */
export type SessionRecord = {
  /** As it stands now. Undefined when its topic does not tell of a start any more. */
  read(): SessionRun | undefined
  /** Records what has happened, whatever came before it. Failure `failed` when the bus was removed. */
  tell(event: LoopEvent): Promise<void>
  /** Records an event if nothing was recorded since `head`; false when something was. */
  tellIf(head: string | null, event: LoopEvent): Promise<boolean>
}

/**
 * The record of one run. `session` owns it, and its other runs become frames of `loop:current`. No text is recorded with
 * a secret of `env` in it.
 */
export function openRecord(
  store: Store,
  session: Session,
  run: string,
  { env, now }: { env: Env; now: () => number },
): SessionRecord {
  const redact = redactorOf(env)
  const read = () => readSessionRun(store, run)
  const post = async (given: LoopEvent, expect: { expect?: string | null }) => {
    // The start is signed as it is; whoever makes it has taken its secrets out.
    const event = given.event === 'started' ? given : redactTexts(given, redact)
    if (!busExists(store)) {
      throw new Failure('failed', `the bus ${store.path} was removed while the loop ran; its state is lost`, {
        hint: 'start the loop again',
      })
    }
    const from = workerOfSession(session)
    const at = now()
    await postMessage(store, { topic: runTopic(run), from, body: renderEvent(event), data: event }, at, expect)
    const status = read()?.status
    if (status !== undefined) await postMessage(store, snapshot(status, from, frames(store, session, run)), at)
  }
  return {
    read,
    tell: (event) => post(event, {}),
    async tellIf(head, event) {
      try {
        await post(event, { expect: head })
        return true
      } catch (error) {
        if (isFailure(error) && error.kind === 'conflict') return false
        throw error
      }
    },
  }
}

/** Folds the topic of a run. Messages of others on it are passed over, but are what a conditional post is behind. */
export function readSessionRun(store: Store, id: string): SessionRun | undefined {
  let run: SessionRun | undefined
  for (const { message } of readMessages(store, runTopic(id))) {
    const event = loopEvent.safeParse(message.data)
    if (event.success) run = foldSessionRun(run, { id: message.id, at: message.at, event: event.data })
    else if (run !== undefined) run = { ...run, head: message.id }
  }
  return run
}

/** What the session works, the run that is recorded too, though it may be bound only in a moment. */
function frames(store: Store, session: Session, run: string): Frame[] {
  const { stack } = readBinding(store, session)
  const runs = stack.includes(run) ? stack : [...stack, run]
  return runs.flatMap((id) => frameOf(readSessionRun(store, id)) ?? [])
}

function frameOf(run: SessionRun | undefined): Frame | undefined {
  if (run?.status === undefined || run.isOver) return undefined
  const { id, started, claimed, status } = run
  const frame = { id, iter: run.work?.iteration ?? 1, max: status.max, base_ref: started.base }
  if (started.mode === 'task') return { ...frame, mode: 'task', issue_id: null, worktree_path: null }
  const where = {
    worktree_path: claimed?.worktree ?? null,
    ...(claimed === undefined ? {} : { branch: claimed.branch }),
  }
  return { ...frame, mode: 'issue', issue_id: claimed?.issue ?? null, ...where }
}
