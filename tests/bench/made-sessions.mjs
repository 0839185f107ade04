// Sessions of `scope` that nobody started, for benches and pictures: their logs, as `docs/formats/session.md` has them. Their process is one of another container, which nobody takes for gone.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const process = {
  pid: 1,
  start: '',
  boot: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
  namespace: 'elsewhere',
}
let count = 0

/** An event of a session. */
export function eventOf(session, more, at = Date.now()) {
  count += 1
  return { v: 1, id: `01${String(count).padStart(24, '0')}`, at, session, by: 'bench', ...more }
}

/** Writes a session at work, and what more happened in it. */
export function makeSession(folder, id, { task = `Task ${id}`, activity = '', agoMs = 0, more = [], ...given } = {}) {
  const store = join(folder, '.scope')
  const at = Date.now() - agoMs
  const created = { event: 'created', task, task_type: 'implement', agent: 'claude', model: null, access: 'write' }
  const rest = { backend: 'tmux', cwd: folder, alias: null, role: 'run', spawner: process, ...given }
  const events = [{ ...created, ...rest }, { event: 'started', process }, { event: 'submitted', bytes: 400 }, ...more]
  const over = events.findLast(({ event }) => ['done', 'failed', 'aborted', 'exited'].includes(event))?.event
  mkdirSync(join(store, 'sessions', id), { recursive: true })
  mkdirSync(join(store, 'live'), { recursive: true })
  const lines = events.map((event) => JSON.stringify(eventOf(id, event, at)))
  writeFileSync(join(store, 'sessions', id, 'events.jsonl'), `${lines.join('\n')}\n`)
  writeFileSync(join(store, 'sessions', id, 'state'), `${over ?? 'running'}\n`)
  writeFileSync(join(store, 'sessions', id, 'activity'), activity)
  if (over === undefined) writeFileSync(join(store, 'live', id), '')
  else appendFileSync(join(store, 'ended.jsonl'), `${JSON.stringify({ v: 1, id, at })}\n`)
}

/** Something happens in a session, of which the bus is still to hear. */
export function happens(folder, id, more) {
  const event = eventOf(id, more)
  appendFileSync(join(folder, '.scope', 'sessions', id, 'events.jsonl'), `${JSON.stringify(event)}\n`)
  return event
}
