// Waiting until sessions are over, however that comes about: it looks at their logs and at their processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { statAt } from '@switchyard/ground/at-path'
import type { Session } from '../session/fold-session.ts'
import { look } from '../session/look.ts'
import type { Scribe } from '../session/record.ts'
import { eventsFile } from '../session/scope-store.ts'
import { isOver } from '../session/transitions.ts'

const pollMs = 50
/** A process that dies says nothing; its session is looked at this often. */
const lookMs = 1000

export type Patience = {
  readonly signal: AbortSignal
  /** Milliseconds; without it the wait has no end of its own. */
  readonly timeoutMs?: number | undefined
  /** Whether the wait is over before all sessions are. */
  readonly isEnough?: ((sessions: readonly Session[]) => boolean) | undefined
}

/** Waits until all are over, or enough are; returns all as they stand then. Exits 3 when one is not there. */
export async function waitForAll(
  scribe: Scribe,
  ids: readonly string[],
  { signal, timeoutMs, isEnough }: Patience,
): Promise<Session[]> {
  const sessions = new Map<string, Session>()
  const sizes = new Map<string, number>()
  const begun = performance.now()
  for (let turn = 0; ; turn++) {
    const isDue = turn % (lookMs / pollMs) === 0
    for (const id of ids) {
      const size = statAt(eventsFile(scribe.store, id))?.size ?? 0
      const isOpen = !isOver(sessions.get(id)?.state ?? 'pending')
      if ((isOpen && isDue) || sizes.get(id) !== size) sessions.set(id, await look(scribe, id))
      sizes.set(id, size)
    }
    const known = [...sessions.values()]
    if (known.every(({ state }) => isOver(state)) || isEnough?.(known)) return known
    if (timeoutMs !== undefined && performance.now() - begun >= timeoutMs) return known
    await sleep(pollMs)
    signal.throwIfAborted()
  }
}
