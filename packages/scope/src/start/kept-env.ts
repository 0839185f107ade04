// The environment of whoever spawns a session, on its way to the terminal in which the agent starts: tmux would take it
// on a command line, where other users of the machine can read it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '@switchyard/ground/failure'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import type { Store } from '@switchyard/topic'
import { sessionFolder } from '../session/scope-store.ts'

type Env = Readonly<Record<string, string | undefined>>

const envFile = (store: Store, id: string) => join(sessionFolder(store, id), 'env.json')

/** Keeps an environment for the supervisor of a session, in a file that nobody else can read. */
export function keepEnv(store: Store, id: string, env: Env): void {
  const path = envFile(store, id)
  rmSync(path, { force: true })
  writeFileSync(path, JSON.stringify(env), { mode: 0o600, flag: 'wx' })
}

/** The environment that was kept, which is gone afterwards; empty where there is none. */
export function takeEnv(store: Store, id: string): Record<string, string> {
  try {
    const read = parseJson(readFileSync(envFile(store, id), 'utf8'))
    rmSync(envFile(store, id), { force: true })
    const entries = isPlainObject(read) ? Object.entries(read) : []
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return {}
  }
}
