// A session whose agent has a screen, as its log tells it, and the hooks that its host would call.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processOf } from '@switchyard/ground/process-name'
import { type Finished, run, type Started, start, tempRepo } from '@switchyard/testkit'
import { createBus, locateStore } from '@switchyard/topic'
import { onTestFinished } from 'vitest'
import { type SessionEvent, sessionEvent } from '../src/session/event-schema.ts'
import { markLive } from '../src/session/live.ts'
import { type EventDraft, record } from '../src/session/record.ts'
import { createScope, sessionFolder } from '../src/session/scope-store.ts'
import { type SessionView, sessionSchema } from '../src/session/session-schema.ts'

const fixtures = fileURLToPath(new URL('../../wire/test/fixtures/hooks', import.meta.url))

/** What a real client wrote to its hook, by the name of the file. */
export const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(`${fixtures}/${name}.json`, 'utf8'))

export const conversation = '0b6f8f52-6a0e-4a0f-9a3c-5d2f1c7a9e10'
export const contract = '# Task\n\nmake file'

type Given = {
  /** `headless`: a supervisor follows the agent. */
  readonly backend?: 'tmux' | 'headless'
  readonly hasBus?: boolean
  /** The process that keeps the session going; one of its own that does nothing, where it is not said. */
  readonly pid?: number
}

const by = 'test'

/** A process that ends with the test, or when a session is ended for which it stands. */
function idler(): number {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

/** A repository with session 0, which runs, and whose agent has been told nothing yet. */
export function hooked({ backend = 'tmux', hasBus = true, pid }: Given = {}) {
  const root = tempRepo()
  const store = locateStore({ cwd: root, env: {}, name: '.scope', variable: 'SCOPE_DIR' })
  const bus = locateStore({ cwd: root, env: {}, name: '.jwz', variable: 'JWZ_STORE' })
  createScope(store)
  if (hasBus) createBus(bus)
  const scribe = { store, bus: hasBus ? bus : undefined, now: Date.now }
  const env = { SCOPE_DIR: store.path, SCOPE_SESSION_ID: '0' }
  const read = (path: string) => readFileSync(path, 'utf8')
  const file = (name: string, id = '0') => join(sessionFolder(store, id), name)
  const tell = (...drafts: readonly EventDraft[]) => record(scribe, '0', () => drafts)
  const input = (name: string, changed: object) => JSON.stringify({ ...fixture(name), cwd: root, ...changed })
  const hostOf = (name: string) => name.split('-')[0] ?? ''
  const words = (name: string) => ['hook', '--host', hostOf(name)]
  return {
    ...{ root, store, bus, env, file, tell, input },
    /** Makes a session that runs: the root, or a child of it. */
    begin: async (id = '0', more: { fork_of?: string } = {}): Promise<void> => {
      mkdirSync(sessionFolder(store, id))
      writeFileSync(file('contract.md', id), contract)
      markLive(store, id)
      if (id !== '0') await tell({ event: 'child', by, child: id })
      const process = processOf(pid ?? idler())
      const task = { task: 'make file', task_type: 'implement', agent: 'claude', model: null, access: 'write' } as const
      const place = { backend, cwd: root, alias: null, role: 'run', spawner: process } as const
      await record(scribe, id, () => [
        { event: 'created', by, ...task, ...place, ...more },
        { event: 'launched', by, process },
        { event: 'started', by, process },
      ])
    },
    /** Calls the hook that a fixture is meant for. It says nothing and exits 0, or this throws. */
    hook: (name: string, changed: object = {}, given: Record<string, string | undefined> = {}): void => {
      const finished = run('scope', words(name), { cwd: root, env: { ...env, ...given }, input: input(name, changed) })
      requireSilent(name, finished)
    },
    start: (name: string, changed: object = {}, given = {}): Started =>
      start('scope', words(name), { cwd: root, env: { ...env, ...given }, input: input(name, changed) }),
    scope: (args: readonly string[], given = {}): Finished => run('scope', args, { cwd: root, env: given }),
    poll: (id = '0'): SessionView => sessionSchema.parse(JSON.parse(run('scope', ['poll', id], { cwd: root }).stdout)),
    text: (name: string) => read(file(name)),
    has: (name: string) => existsSync(file(name)),
    events: (): SessionEvent[] =>
      read(file('events.jsonl'))
        .trim()
        .split('\n')
        .map((line) => sessionEvent.parse(JSON.parse(line))),
  }
}

function requireSilent(name: string, { code, stdout, stderr }: Finished): void {
  if (code === 0 && stdout === '' && stderr === '') return
  throw new Error(`the hook for ${name} was to say nothing, it exited ${code}: ${stdout}${stderr}`)
}
