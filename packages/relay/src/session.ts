// One connection from its beginning to its end: first all that the stream has, then both ways.
import type { Store } from '@switchyard/topic'
import { watchChanges } from './changes.ts'
import type { Mirror } from './mirror.ts'
import type { Remote } from './nats.ts'

/** How often what was reached is written down; what is redone after a kill is no more than this. */
const saveMs = 250
const levelMs = 50

export type SessionOptions = {
  store: Store
  isMeant: (topic: string) => boolean
  /** End when both sides are level. */
  once: boolean
  signal: AbortSignal
  onCaughtUp: () => void
}

/**
 * Mirrors until the signal is aborted, or with `once` until both sides are level; closes the connection. Nothing is
 * published before the stream has been read to its end: only then it is known which messages it has.
 */
export async function runSession(mirror: Mirror, remote: Remote, options: SessionOptions): Promise<void> {
  const ending = new AbortController()
  const ended = AbortSignal.any([options.signal, ending.signal])
  const saving = setInterval(() => mirror.save(), saveMs)
  const close = () => void remote.close()
  ended.addEventListener('abort', close)
  try {
    mirror.adopt(remote)
    const receiving = receiveAll(mirror, remote, ended)
    await Promise.race([receiving.caughtUp, receiving.done])
    if (ended.aborted) return
    options.onCaughtUp()
    const sending = options.once ? level(mirror, remote, ended) : sendAll(mirror, remote, options, ended)
    await Promise.race([sending, receiving.done])
  } catch (error) {
    // What was under way when the connection was closed on purpose fails, and is done again next time.
    if (!options.signal.aborted) throw error
  } finally {
    clearInterval(saving)
    ending.abort()
    mirror.save()
    await remote.close()
  }
}

/** `done` fails with what ends the connection; `caughtUp` when the stream had no more. */
type Receiving = { caughtUp: Promise<void>; done: Promise<void> }

function receiveAll(mirror: Mirror, remote: Remote, ended: AbortSignal): Receiving {
  let resolveCaughtUp: () => void = () => undefined
  const caughtUp = new Promise<void>((resolve) => {
    resolveCaughtUp = resolve
  })
  const receive = async () => {
    const newest = await remote.lastSeq()
    if (mirror.seq >= newest) resolveCaughtUp()
    for await (const batch of remote.batchesAfter(mirror.seq)) {
      if (ended.aborted) return
      await mirror.receive(batch, remote)
      if (mirror.seq >= newest) resolveCaughtUp()
    }
  }
  return { caughtUp, done: receive() }
}

/** What is on either side now gets to the other. */
async function level(mirror: Mirror, remote: Remote, ended: AbortSignal): Promise<void> {
  await mirror.send(remote)
  const newest = await remote.lastSeq()
  while (!ended.aborted && mirror.seq < newest) await pause(levelMs)
}

async function sendAll(mirror: Mirror, remote: Remote, options: SessionOptions, ended: AbortSignal): Promise<void> {
  const changes = watchChanges(options.store, options.isMeant, ended)
  await mirror.send(remote)
  while (!ended.aborted) await mirror.send(remote, await changes.next())
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
