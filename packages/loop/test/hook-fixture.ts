import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Finished, run } from '@switchyard/testkit'
import type { EventName } from '@switchyard/wire/adapter'
import type { Host } from '@switchyard/wire/host'
import { complaint } from './host-schema.ts'
import { type Event, ok } from './place.ts'

const folder = fileURLToPath(new URL('../../wire/test/fixtures/hooks', import.meta.url))

const hosts: readonly Host[] = ['claude', 'codex', 'gemini', 'opencode']
const events: readonly EventName[] = [
  'session-start',
  'session-end',
  'pre-tool',
  'post-tool',
  'prompt',
  'notice',
  'stop-failure',
  'stop',
  'subagent-stop',
  'pre-compact',
]

export type Recorded = { name: string; host: Host; event: EventName; fields: Record<string, unknown> }

/** What real clients wrote to their hooks, by the name of the file. */
export const recorded: readonly Recorded[] = readdirSync(folder)
  .map((file) => file.replace(/\.json$/, ''))
  .map((name) => {
    const host = hosts.find((one) => name.startsWith(`${one}-`))
    const event = events.find((one) => name.slice(`${host}-`.length).startsWith(one))
    if (host === undefined || event === undefined)
      throw new Error(`${name}.json: expected HOST-EVENT, of events in hook-fixture.ts`)
    return { name, host, event, fields: JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) }
  })

/** One of them, in another folder and with other fields. */
export function input(name: string, cwd: string, changed: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...named(name).fields, cwd, ...changed })
}

function named(name: string): Recorded {
  const found = recorded.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no fixture ${name}`)
  return found
}

/** What a hook answered; `said` is what it printed, as JSON where it printed anything. */
export type Answered = Finished & { said: Record<string, unknown> | undefined }

type Changed = Record<string, unknown> & { env?: Record<string, string> }

/** Runs the hook that a fixture is meant for. Its host accepts what it prints, and it exits 0, or this throws. */
export function hook(name: string, cwd: string, { env, ...changed }: Changed = {}): Answered {
  const { host, event } = named(name)
  const given = input(name, cwd, changed)
  const finished = run('loop', ['hook', '--host', host], { cwd, input: given, ...(env ? { env } : {}) })
  const wrong = complaint(host, event, finished.stdout)
  if (wrong !== undefined || finished.code !== 0) throw new Error(`${name}: ${wrong} ${JSON.stringify(finished)}`)
  return { ...finished, said: finished.stdout === '' ? undefined : JSON.parse(finished.stdout) }
}

/** A session that works a task. */
export type Bound = {
  run: string
  session: string
  hook(name: string, changed?: Changed): Answered
  /** What its run recorded after it began. */
  events(): Event[]
}

let sessions = 0

/** Gives a task to a new session of a host. */
export function task(root: string, host: Host, ...flags: string[]): Bound {
  sessions += 1
  const session = `session-${sessions}`
  const args = ['start', 'tidy up', '--session', `${host}:${session}`, '--quiet', ...flags]
  const id = ok(run('loop', args, { cwd: root })).stdout.trim()
  return {
    run: id,
    session,
    hook: (name, changed) => hook(name, root, { session_id: session, ...changed }),
    events: () => eventsOf(root, id).slice(3),
  }
}

/** What a run recorded. */
function eventsOf(root: string, id: string): Event[] {
  const lines = readFileSync(`${root}/.jwz/topics/loop/run/${id}.jsonl`, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line).data)
}
