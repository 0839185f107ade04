// A store of sessions that nobody started, as logs: their process is the one that runs the test.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { processOf } from '@switchyard/ground/process-name'
import { ulid } from '@switchyard/ground/ulid'
import type { SessionEvent } from '../src/session/event-schema.ts'
import { stateAfter } from '../src/session/transitions.ts'

type Own<E> = E extends unknown ? Omit<E, 'v' | 'id' | 'at' | 'session'> : never
type Draft = Own<SessionEvent>

/** An event of a session, with what every event has. */
export function event(session: string, draft: Draft, at = Date.now()): SessionEvent {
  return { v: 1, id: ulid(at), at, session, ...draft }
}

type Wish = {
  task?: string
  needs?: string
  isOver?: boolean
  backend?: 'tmux' | 'headless'
  agent?: string
  cwd?: string
  at?: number
}

const here = processOf(process.pid)

/** The events of a session that was created and started; `needs` is what its agent asks a person. */
export function made(id: string, wish: Wish): SessionEvent[] {
  const { task = `Task ${id}`, needs, backend = 'headless', agent = 'claude', cwd = '/', at = Date.now() } = wish
  const drafts: Draft[] = [
    {
      ...{ event: 'created', by: 'spawn', task, task_type: 'implement', agent, model: null, access: 'write', backend },
      ...{ cwd, alias: null, role: 'run', spawner: here },
    },
    { event: 'started', by: 'supervisor', process: here },
    { event: 'submitted', by: 'supervisor', bytes: 1 },
    ...(needs === undefined ? [] : [{ event: 'turn', by: 'hook', turn: 'needs_input', reason: needs } as const]),
    ...(wish.isOver ? ([{ event: 'done', by: 'supervisor' }] as const) : []),
  ]
  return drafts.map((draft) => event(id, draft, at))
}

/** Writes events into their sessions' logs. */
export function written(root: string, events: readonly SessionEvent[]): void {
  const store = join(root, '.scope')
  const over = new Set(
    events.flatMap(({ event: word, session }) => (stateAfter('running', word) === 'done' ? [session] : [])),
  )
  const logs = new Map<string, string>()
  for (const one of events) logs.set(one.session, `${logs.get(one.session) ?? ''}${JSON.stringify(one)}\n`)
  mkdirSync(join(store, 'live'), { recursive: true })
  for (const [id, log] of logs) {
    const folder = join(store, 'sessions', id)
    mkdirSync(folder, { recursive: true })
    appendFileSync(join(folder, 'events.jsonl'), log)
    writeFileSync(join(folder, 'state'), over.has(id) ? 'done\n' : 'running\n')
    if (!over.has(id)) writeFileSync(join(store, 'live', id), '')
  }
  for (const id of over) appendFileSync(join(store, 'ended.jsonl'), `${JSON.stringify({ v: 1, id, at: Date.now() })}\n`)
}
