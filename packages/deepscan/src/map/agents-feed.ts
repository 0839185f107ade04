// The agents of a map on `scope:feed`, where the sessions of all tools are told of, as docs/formats/session.md has them.
// The feed is a hint: it never fails a map.
import process from 'node:process'
import { isFailure, systemCode } from '@switchyard/ground/failure'
import { processOf } from '@switchyard/ground/process-name'
import { ulid } from '@switchyard/ground/ulid'
import { busExists, postMessages, type Store } from '@switchyard/topic'
import type { Usage } from './ledger.ts'

/** Tells of a map and of each of its workers. */
export type AgentsFeed = {
  works(worker: number, what: string): Promise<void>
  answered(worker: number, usage: Usage): Promise<void>
  rests(worker: number, why: string): Promise<void>
  ends(exitCode: number, why: string | undefined): Promise<void>
}

export type FeedOptions = {
  /** Without a bus nobody is told. */
  readonly bus: Store | undefined
  readonly scan: string
  readonly root: string
  readonly query: string
  readonly agent: string
  readonly model: string | null
  readonly now: () => number
}

const feedTopic = 'scope:feed'
const idDigits = 8
const activityMax = 80

type Draft = { readonly session: string; readonly event: string; readonly [field: string]: unknown }

/** Opens the session of the map. A worker's begins with what it does first, and ends with the map. */
export async function openAgentsFeed(options: FeedOptions): Promise<AgentsFeed> {
  const session = `deepscan:${options.scan.slice(-idDigits)}-${ulid(options.now()).slice(-idDigits).toLowerCase()}`
  const tell = tellOn(options)
  const begun = new Set<number>()
  const workerOf = (worker: number) => `${session}:${worker}`
  await tell(begins(session, 'run', options))
  return {
    works: async (worker, what) => {
      const child = workerOf(worker)
      const drafts = begun.has(worker) ? [] : [{ session, event: 'child', child }, ...begins(child, 'do', options)]
      begun.add(worker)
      await tell([...drafts, doing(child, what)])
    },
    answered: (worker, { input_tokens, output_tokens, cost_usd }) => {
      const used = input_tokens === null && output_tokens === null
      const usage = used
        ? null
        : { input_tokens: whole(input_tokens), output_tokens: whole(output_tokens), cached_tokens: 0 }
      return tell([{ session: workerOf(worker), event: 'result', bytes: 0, agent_session: null, usage, cost_usd }])
    },
    rests: (worker, why) => tell([doing(workerOf(worker), why)]),
    ends: (exitCode, why) => {
      const over = (id: string) => (why === undefined ? { session: id, event: 'done' } : endOf(id, exitCode, why))
      const workers = [...begun].flatMap((worker) => [doing(workerOf(worker), ''), over(workerOf(worker))])
      return tell([...workers, over(session), { session, event: 'ended', exit_code: exitCode, signal: null }])
    },
  }
}

const whole = (count: number | null) => Math.round(count ?? 0)
const interruptedMin = 130

const doing = (session: string, text: string): Draft => ({
  ...{ session, event: 'activity', activity: text.slice(0, activityMax) },
})

function endOf(session: string, exitCode: number, reason: string): Draft {
  return { session, event: exitCode >= interruptedMin ? 'aborted' : 'failed', reason }
}

function begins(session: string, role: 'run' | 'do', { root, query, agent, model }: FeedOptions): Draft[] {
  const writer = processOf(process.pid)
  return [
    {
      ...{ session, event: 'created', task: query.split('\n')[0] ?? '', task_type: 'review', agent, model, role },
      ...{ access: 'read', backend: 'headless', cwd: root, alias: null, spawner: writer },
    },
    { session, event: 'started', process: writer },
    { session, event: 'turn', turn: 'busy' },
  ]
}

function tellOn({ bus, now }: FeedOptions): (drafts: readonly Draft[]) => Promise<void> {
  return async (drafts) => {
    if (bus === undefined || drafts.length === 0) return
    try {
      if (!busExists(bus)) return
      const at = now()
      const messages = drafts.map((draft) => {
        const id = ulid(at)
        return { id, from: 'deepscan', body: lineOf(draft), data: { v: 1, id, at, by: 'deepscan', ...draft } }
      })
      await postMessages(bus, feedTopic, messages, at, { durable: false })
    } catch (error) {
      if (!isFailure(error) && systemCode(error) === undefined) throw error
    }
  }
}

function lineOf({ session, event, activity, reason }: Draft): string {
  return [session, event, activity ?? reason].filter((word) => typeof word === 'string' && word !== '').join(' ')
}
