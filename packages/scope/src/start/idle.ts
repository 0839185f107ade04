// How long nothing has been heard of an agent: it printed nothing, called no tool that a hook tells of, nothing stands
// in its log, and nothing was heard of those that it started.
import { join } from 'node:path'
import { statAt } from '@switchyard/ground/at-path'
import type { Store } from '@switchyard/topic'
import { readSession } from '../session/read-session.ts'
import { sessionFolder } from '../session/scope-store.ts'
import type { Launch } from './launch-schema.ts'

type Limits = Pick<Launch, 'id' | 'idle_timeout_ms'>

const signs = ['events.jsonl', 'activity', 'output.log']

/**
 * A way to ask, again and again, why a session is to be ended that has been idle for too long; undefined where it has
 * not, or waits for a person. No clock that somebody sets counts, nor the time for which a machine slept.
 */
export function idleWatch(store: Store, { id, idle_timeout_ms: maxMs }: Limits): () => string | undefined {
  let [heard, since] = [0, performance.now()]
  return () => {
    if (maxMs === undefined) return undefined
    const at = heardAt(store, id)
    if (at !== heard) [heard, since] = [at, performance.now()]
    const idleMs = Math.round(performance.now() - since)
    if (idleMs <= maxMs || readSession(store, id)?.turn !== 'busy') return undefined
    return `nothing was heard of it for ${idleMs} ms, and ${maxMs} ms are allowed`
  }
}

function heardAt(store: Store, id: string): number {
  const own = signs.map((name) => statAt(join(sessionFolder(store, id), name))?.mtimeMs ?? 0)
  const below = readSession(store, id)?.children.map((child) => heardAt(store, child)) ?? []
  return Math.max(...own, ...below)
}
