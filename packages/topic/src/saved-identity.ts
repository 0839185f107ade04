// The name that somebody chose for an agent's session, a terminal session or a pane, kept in the store.

import { fileIn, makeFolder, orRefused, readIfThere, readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { fnv1a } from '@switchyard/ground/fnv1a'
import { dirname, pid, ppid, rmSync } from '@switchyard/ground/machine'
import { writeWhole } from '@switchyard/ground/whole-file'
import { parseRecord } from '@switchyard/jsonl'
import { agentSession } from './agent-session.ts'
import { createBus, type Store } from './store.ts'

export type Env = Readonly<Record<string, string | undefined>>

/**
 * What tells this session from others and stays the same in it: the agent's own, as its host names it, so that two
 * agents in one terminal are two; else the tmux pane, else the session leader and its start, else the parent.
 */
export function sessionKey(env: Env): string {
  const agent = agentSession(env)
  if (agent !== undefined) return `agent ${agent.host} ${agent.id}`
  const pane = env['TMUX_PANE']
  if (pane) return `tmux ${env['TMUX'] ?? ''} ${pane}`
  const stat = readIfThere('/proc/self/stat')
  const session = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[3]
  if (!session) return `parent ${ppid}`
  const leader = readIfThere(`/proc/${session}/stat`)
  const started = leader?.slice(leader.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return `session ${session} ${started}`
}

function identityPath(store: Store, session: string): string {
  const name = [session, `saved ${session}`].map((text) => fnv1a(text).toString(16).padStart(8, '0')).join('')
  return fileIn(store, `identities/${name}.json`)
}

/** The name saved for this session; undefined when there is none. Failure `corrupt` on a damaged file. */
export function readSavedName(store: Store, session: string): string | undefined {
  const path = identityPath(store, session)
  const text = readStored(path)
  if (text === undefined) return undefined
  const record = parseRecord({ text })
  if (typeof record?.['name'] !== 'string' || typeof record['session'] !== 'string') {
    throw new Failure('corrupt', `${path} was to be a saved identity, it has other content`, {
      hint: 'jwz whoami --forget removes it',
    })
  }
  return record['session'] === session ? record['name'] : undefined
}

/** Keeps a name (see `requireName`) for this session; makes the bus when there is none. */
export function saveName(store: Store, env: Env, name: string, now: number): void {
  const session = sessionKey(env)
  const path = identityPath(store, session)
  createBus(store)
  const content = `${JSON.stringify({ v: 1, name, session, at: now })}\n`
  orRefused(`the name was to be kept in ${path}`, () => {
    makeFolder(dirname(path))
    writeWhole(path, `${path}.${pid}.draft`, content)
  })
}

/** Forgets the name of this session, if one was saved. */
export function forgetName(store: Store, env: Env): void {
  const path = identityPath(store, sessionKey(env))
  orRefused(`${path} was to be removed`, () => rmSync(path, { force: true }))
}
