// What sessions have cost, added up: from their logs alone.
import type { Session } from '../session/fold-session.ts'
import { parentOf, rootOf } from '../session/session-id.ts'
import { isOver } from '../session/transitions.ts'
import type { Grouping, Stat } from './stat-schema.ts'

/** The sums of each group, the dearest first, by cost and then by tokens; `now` is milliseconds since 1970. */
export function addUp(sessions: readonly Session[], by: Grouping, now: number): Stat[] {
  const groups = new Map<string, Stat>()
  for (const session of sessions) {
    const key = keyOf(session, by)
    if (key !== undefined) groups.set(key, withOne(groups.get(key) ?? empty(by, key), session, now))
  }
  return [...groups.values()].sort(dearest)
}

function keyOf({ id, created, state }: Session, by: Grouping): string | undefined {
  switch (by) {
    case 'agent':
      return created.agent
    case 'model':
      return created.model ?? `${created.agent}, its own`
    case 'type':
      return created.task_type
    case 'session':
      return id
    case 'tree':
      return rootOf(id)
    case 'loop':
      return created.role === 'loop' ? id : loopAround(id)
    case 'day':
      return new Date(created.at).toISOString().slice(0, 10)
    case 'state':
      return state
  }
}

/** The loop whose worker or judge a session is, or is below of. */
function loopAround(id: string): string | undefined {
  const parent = parentOf(id)
  if (parent === undefined) return undefined
  return /-(?:do|check)$/.test(id) ? parent : loopAround(parent)
}

const empty = (by: Grouping, key: string): Stat => ({
  ...{ v: 1, by, key, sessions: 0, turns: 0, failed: 0, time_ms: 0 },
  ...{ input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost_usd: null },
})

function withOne(sum: Stat, { created, state, since, results, usage, costUsd }: Session, now: number): Stat {
  const end = isOver(state) ? since : now
  return {
    ...sum,
    sessions: sum.sessions + 1,
    // A loop takes over the results of its workers.
    turns: sum.turns + (created.role === 'loop' ? 0 : results),
    failed: sum.failed + (state === 'failed' ? 1 : 0),
    time_ms: sum.time_ms + Math.max(0, end - created.at),
    input_tokens: sum.input_tokens + (usage?.input_tokens ?? 0),
    output_tokens: sum.output_tokens + (usage?.output_tokens ?? 0),
    cached_tokens: sum.cached_tokens + (usage?.cached_tokens ?? 0),
    cost_usd: costUsd === null ? sum.cost_usd : (sum.cost_usd ?? 0) + costUsd,
  }
}

const tokensOf = ({ input_tokens, output_tokens }: Stat) => input_tokens + output_tokens

const dearest = (one: Stat, other: Stat) =>
  (other.cost_usd ?? 0) - (one.cost_usd ?? 0) ||
  tokensOf(other) - tokensOf(one) ||
  (one.key < other.key ? -1 : Number(one.key > other.key))
