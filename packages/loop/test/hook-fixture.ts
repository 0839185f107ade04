import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Finished, run } from '@switchyard/testkit'
import type { EventName } from '../src/hook/adapter.ts'
import type { Host } from '../src/hook/host-event.ts'

const folder = fileURLToPath(new URL('./fixtures/hooks', import.meta.url))

const hosts: readonly Host[] = ['claude', 'codex', 'gemini', 'opencode']
const events: readonly EventName[] = [
  'session-start',
  'session-end',
  'pre-tool',
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
    if (host === undefined || event === undefined) throw new Error(`${name}: expected HOST-EVENT`)
    return { name, host, event, fields: JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) }
  })

/** One of them, in another folder and with other fields. */
export function input(name: string, cwd: string, changed: Record<string, unknown> = {}): string {
  const found = recorded.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no fixture ${name}`)
  return JSON.stringify({ ...found.fields, cwd, ...changed })
}

/** Runs the hook that a fixture is meant for. */
export function hook(
  name: string,
  cwd: string,
  { env, ...changed }: Record<string, unknown> & { env?: Record<string, string> } = {},
): Finished {
  const found = recorded.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no fixture ${name}`)
  return run('loop', ['hook', found.event, '--host', found.host], {
    cwd,
    input: input(name, cwd, changed),
    ...(env === undefined ? {} : { env }),
  })
}
