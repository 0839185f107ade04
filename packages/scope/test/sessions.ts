// A repository with a scripted agent, whose sessions the tests start, watch and end.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { endByEnvironment } from '@switchyard/exec'
import { type Finished, git, run, script, start, tempFolder, tempRepo, toolPath } from '@switchyard/testkit'
import { onTestFinished } from 'vitest'
import { type SessionEvent, sessionEvent } from '../src/session/event-schema.ts'
import { type SessionView, sessionSchema, waitedSchema } from '../src/session/session-schema.ts'

/** Prints what Claude Code prints at the end of a turn. */
const says = (text: string) =>
  JSON.stringify({
    ...{ type: 'result', subtype: 'success', is_error: false, result: text, session_id: 'conversation-1' },
    ...{ total_cost_usd: 0.25, usage: { input_tokens: 30, output_tokens: 4, cache_read_input_tokens: 10 } },
  })

export type Sessions = ReturnType<typeof sessions>

/**
 * A repository, and `claude` on PATH: it keeps its prompt, its arguments and its environment in `heard/<id>.…`, does
 * `act`, a piece of shell, and says `text`; `agent` changes both, and may give answers by patterns of session ids.
 */
export function sessions({
  act = '',
  text = 'Done as told.',
  env = {} as Record<string, string>,
  /** The agent does not read its stdin to the end: a terminal has none. */
  keepsStdin = false,
  /** What the folder of the repository is called. */
  name = 'repo',
} = {}) {
  const root = join(tempFolder('place'), name)
  renameSync(tempRepo(), root)
  onTestFinished(() => endAllOf(join(root, '.scope')))
  const bin = tempFolder('bin')
  const heard = tempFolder('heard')
  const all = {
    PATH: [bin, toolPath()].join(delimiter),
    SCOPE_BACKEND: 'headless',
    XDG_CONFIG_HOME: tempFolder('settings'),
    ...env,
  }
  const agent = (what: string, answer: string | Readonly<Record<string, string>> = text) => {
    const answers = Object.entries(typeof answer === 'string' ? { '*': answer } : { ...answer, '*': text })
    for (const [at, [, said]] of answers.entries()) script(join(bin, `answer-${at}`), `${says(said)}\n`)
    const kept = `'${heard}'/$SCOPE_SESSION_ID`
    const reads = keepsStdin ? ':' : `cat >${kept}.prompt`
    const notes = `printf '%s\\0' "$@" >${kept}.argv; ${reads}; env >${kept}.env; echo $$ >${kept}.pid`
    const cases = answers.map(([pattern], at) => `${pattern}) cat '${bin}/answer-${at}' ;;`).join('\n')
    const answering = `case $SCOPE_SESSION_ID in\n${cases}\nesac`
    script(join(bin, 'claude'), `#!/bin/sh\n${notes}\n${what}\n${answering}\n`)
  }
  agent(act)
  const scope = (args: readonly string[], { input = '', cwd = root, ...more } = {}, given = {}): Finished =>
    run('scope', args, { cwd, env: { ...all, ...given }, input, ...more })
  const folder = (id: string) => join(root, '.scope', 'sessions', id)
  const events = (id: string): SessionEvent[] =>
    wholeLines(join(folder(id), 'events.jsonl')).map((line) => sessionEvent.parse(JSON.parse(line)))
  const hasHeard = (id: string) => existsSync(join(heard, `${id}.pid`)) && read(join(heard, `${id}.pid`)) !== ''
  return {
    ...{ root, bin, agent, scope, folder, events },
    /** The process that keeps a session going. */
    supervisor: (id: string) =>
      events(id).flatMap((event) => (event.event === 'started' ? [event.process?.pid ?? 0] : []))[0] ?? 0,
    write: (name: string, text: string) => writeFileSync(join(root, name), text),
    /** Another agent on PATH. */
    script: (name: string, text: string) => script(join(bin, name), `#!/bin/sh\n${text}\n`),
    start: (args: readonly string[], given = {}) => start('scope', args, { cwd: root, env: { ...all, ...given } }),
    /** Starts a session and gives its id. */
    spawn: (task: string, ...flags: readonly string[]): string => {
      const { code, stdout, stderr } = scope(['spawn', task, ...flags])
      if (code !== 0) throw new Error(`scope spawn: exit ${code}: ${stderr}`)
      return stdout.trim()
    },
    poll: (id: string): SessionView => sessionSchema.parse(JSON.parse(scope(['poll', id]).stdout)),
    wait: (...args: readonly string[]) => {
      const finished = scope(['wait', ...args])
      return { ...finished, waited: waitedSchema.parse(JSON.parse(finished.stdout || '{}')) }
    },
    /** What the agent of a session heard: `prompt`, `argv`, `env`, `pid`. */
    heard: (id: string, what: 'prompt' | 'argv' | 'env' | 'pid') => read(join(heard, `${id}.${what}`)),
    hasHeard,
    /** Whether the agent of a session runs, and its log says so: in a terminal that comes after its first words. */
    isAtWork: (id: string) => hasHeard(id) && events(id).some(({ event }) => event === 'submitted'),
    /** What the bus holds under a topic by now, such as `session/0`. */
    told: (topic: string): { id: string; data: unknown }[] =>
      wholeLines(join(root, '.jwz', 'topics', `${topic}.jsonl`)).map((line) => JSON.parse(line)),
    /** The marks of sessions that are, or may be, at work; each goes behind the log, by which a wait goes. */
    live: () => readdirSync(join(root, '.scope', 'live')),
    file: (id: string, name: string) => read(join(folder(id), name)),
    /** Whether a file in the repository has anything in it by now. */
    has: (name: string) => existsSync(join(root, name)) && read(join(root, name)) !== '',
    /** The files of a session; a lock, its owner's note and a draft, which come and go, are none. */
    files: (id: string) =>
      readdirSync(folder(id), { withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.(draft|lock\.owner)$/.test(entry.name))
        .map(({ name }) => name)
        .sort(),
    /** What lies in a folder of the store by now. */
    inStore: (name: string) => (existsSync(join(root, '.scope', name)) ? readdirSync(join(root, '.scope', name)) : []),
    git: (...args: readonly string[]) => git(root, ...args),
  }
}

const read = (path: string) => readFileSync(path, 'utf8')

/** The lines of a log; what stands behind the last LF is still being written. */
const wholeLines = (path: string) => read(path).split('\n').slice(0, -1).filter(Boolean)

/** Ends what the sessions of a store have left, also those of a test that failed half-way. */
async function endAllOf(store: string): Promise<void> {
  await endByEnvironment((environment) => environment.get('SCOPE_DIR') === store, 0)
}

/** Waits until something holds, and fails when it does not come about. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 2400; turn++) {
    if (holds()) return
    await new Promise((done) => setTimeout(done, 25))
  }
  throw new Error(`expected ${what}`)
}

/** Kills a process, and waits until it is gone; one that has ended is as wanted. 0 would be all that run this test. */
export async function kill(pid: number): Promise<void> {
  if (pid <= 0) throw new Error('expected a process to kill')
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
  await until(() => isGone(pid), `process ${pid} to be gone`)
}

/** Whether a process is gone, or only waits to be asked how it ended. */
export function isGone(pid: number): boolean {
  try {
    return /^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`))
  } catch {
    return true
  }
}
