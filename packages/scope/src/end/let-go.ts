// An agent in a terminal stays when its turn is over, for whoever wants to talk to it. Where nobody will, it is ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { endAll, endLeft } from '../session/end-left.ts'
import type { Session } from '../session/fold-session.ts'
import { readSession } from '../session/read-session.ts'
import type { Scribe } from '../session/record.ts'

const pollMs = 50
const patienceMs = 5000

/** Ends the agent of a session that is done; its terminal goes with it, and `scope resume` goes on in its conversation. */
export async function letGo(scribe: Scribe, { id, turn }: Session): Promise<void> {
  if (turn === null) return
  await endLeft(scribe, { id })
  // Its supervisor keeps the screen and notes the end; one that does not is ended too.
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    if (readSession(scribe.store, id)?.turn == null) return
    await sleep(pollMs)
  }
  await endAll(scribe, { id })
}
