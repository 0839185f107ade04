// One turn, asked for again where a limit of the agent's rate stood in its way.
import { renderSpan } from '@switchyard/cli-kit/age'
import type { Envelope } from './envelope-schema.ts'

type Patience = {
  readonly retries: number
  /** For all tries together, and for the waits between them. */
  readonly timeoutMs: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
  readonly note: (text: string) => void
}

const pauseMsFirst = 30_000
const pauseMsMax = 600_000

/**
 * What came of the last try. It waits until the moment that the agent has named, or longer each time where it has named
 * none; where that would be too late, what came is returned at once.
 */
export async function askAgain(ask: (withinMs: number) => Promise<Envelope>, patience: Patience): Promise<Envelope> {
  const { retries, timeoutMs, now, sleep, note } = patience
  const deadline = now() + timeoutMs
  for (let tries = 1; ; tries++) {
    const envelope = { ...(await ask(Math.max(1, deadline - now()))), tries }
    const at = nextTryAt(envelope, now())
    if (tries > retries || at === undefined || at >= deadline) return envelope
    const waitMs = Math.max(0, at - now())
    note(`scope: ${envelope.agent} is out of its rate; it is asked again in ${renderSpan(Math.ceil(waitMs / 1000))}`)
    await sleep(waitMs)
  }
}

/** When it may be asked again; undefined where waiting does not help. */
function nextTryAt({ outcome, limit, tries }: Envelope, now: number): number | undefined {
  if (outcome !== 'failed' || limit?.kind !== 'rate') return undefined
  return limit.resets_at ?? now + Math.min(pauseMsFirst * 2 ** (tries - 1), pauseMsMax)
}
