// The record of a run: its events on a topic of its own, and what they come to. It is written and read here alone.
import { redactorOf } from '@switchyard/cli-kit/secrets'
import { Failure, isFailure } from '@switchyard/ground/failure'
import type { Env } from '@switchyard/ground/state-folder'
import { busExists, type Message, postMessage, readMessages, type Store } from '@switchyard/topic'
import { type LoopEvent, loopEvent } from '../state/event-schema.ts'
import { foldSessionRun, type SessionRun } from '../state/fold-session-run.ts'
import { redactTexts } from '../state/redact-event.ts'
import { renderEvent } from '../state/render-event.ts'
import type { RunStatus } from '../state/status-schema.ts'
import { type Frame, snapshot } from './current.ts'
import { openFeed } from './feed.ts'

/** The record of one run, for who works it. */
export type Journal = {
  /** As the run stands now. Undefined when its topic does not tell of a start any more. */
  read(): SessionRun | undefined
  /** Records what has happened, whatever came before it. Failure `failed` when the bus was removed. */
  tell(event: LoopEvent): Promise<void>
  /** Records an event if nothing was recorded since `head`; false when something was. */
  tellIf(head: string | null, event: LoopEvent): Promise<boolean>
  /** False once the bus was removed. */
  isThere(): boolean
}

/** Who writes into the record of a run. No text is recorded with a secret of `env` in it. */
export type Writer = {
  readonly env: Env
  readonly now: () => number
  nameFor(event: LoopEvent): string
  /** How the run stands behind an event that was just recorded, for `loop:current`; undefined when it has not begun. */
  standing(event: LoopEvent, at: number): { status: RunStatus; stack: readonly Frame[] } | undefined
  /** Hears each event once it is recorded. */
  told?(event: LoopEvent): void
  /** What is said when the bus was removed. */
  readonly lost: { readonly what: string; readonly hint: string }
}

type Expect = { readonly expect?: string | null }

export const runTopic = (run: string) => `loop:run:${run}`

/** The record of a run on a bus. Several processes may write it at once. */
export function openJournal(store: Store, run: string, writer: Writer): Journal {
  const { env, now, lost } = writer
  const redact = redactorOf(env)
  const feed = openFeed(store, runTopic(run))
  const post = async (given: LoopEvent, expect: Expect) => {
    // The start is signed as it is; whoever makes it has taken its secrets out.
    const event = given.event === 'started' ? given : redactTexts(given, redact)
    if (!busExists(store))
      throw new Failure('failed', `the bus ${store.path} was removed ${lost.what}`, { hint: lost.hint })
    const from = writer.nameFor(event)
    const at = now()
    const { id } = await postRecord(store, run, { event, from, at }, expect)
    const standing = writer.standing(event, at)
    if (standing !== undefined) await postMessage(store, snapshot(standing.status, from, standing.stack), at)
    await feed({ id, at, from, event })
    writer.told?.(event)
  }
  return {
    read: () => readRun(store, run),
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
    isThere: () => busExists(store),
  }
}

type Post = { event: LoopEvent; from: string; at: number }

function postRecord(store: Store, run: string, { event, from, at }: Post, expect: Expect = {}): Promise<Message> {
  return postMessage(store, { topic: runTopic(run), from, body: renderEvent(event), data: event }, at, expect)
}

/** Puts one event onto the topic of a run, and gives the id of its message. */
export async function postEvent(store: Store, run: string, post: Post): Promise<string> {
  const { id } = await postRecord(store, run, post)
  await openFeed(store, runTopic(run))({ id, ...post })
  return id
}

/** Adds an event to the topic of another run, which is dead. */
export async function recordFor(store: Store, run: string, event: LoopEvent, at: number): Promise<void> {
  if (busExists(store)) await postEvent(store, run, { event, from: runnerFor(run, event), at })
}

/** The name by which a runner signs an event: its worker's, where one is told of. */
export const runnerFor = (run: string, event: LoopEvent) => ('worker' in event ? event.worker : `loop-${run}`)

/** What a run recorded, oldest first; messages that are no events are passed over. */
export function* readEvents(store: Store, run: string): Generator<{ id: string; event: LoopEvent; at: number }> {
  for (const { id, at, event } of readRecord(store, run)) if (event !== undefined) yield { id, event, at }
}

/** How a run stands, folded from its topic. What is no event counts as what a conditional post is behind. */
export function readRun(store: Store, id: string): SessionRun | undefined {
  let run: SessionRun | undefined
  for (const told of readRecord(store, id)) {
    if (told.event !== undefined) run = foldSessionRun(run, { ...told, event: told.event })
    else if (run !== undefined) run = { ...run, head: told.id }
  }
  return run
}

function* readRecord(store: Store, run: string): Generator<{ id: string; at: number; event: LoopEvent | undefined }> {
  for (const { message } of readMessages(store, runTopic(run))) {
    const { id, at, data } = message
    yield { id, at, event: loopEvent.safeParse(data).data }
  }
}
