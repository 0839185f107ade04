// Time for sessions that have said `scope exit` to end their turn, before what is left of them is ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { readSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'

const pollMs = 100
const patienceMs = 20_000

/** Resolves when no agent of those that have exited, or of the sessions below them, is at a turn, or time is over. */
export async function letFinish({ store }: Scribe, ids: readonly string[]): Promise<void> {
  const isFinishing = (id: string): boolean => {
    const session = readSession(store, id)
    if (session === undefined) return false
    return (session.hasExited && session.turn !== null) || session.children.some(isFinishing)
  }
  for (let waitedMs = 0; waitedMs < patienceMs && ids.some(isFinishing); waitedMs += pollMs) await sleep(pollMs)
}
