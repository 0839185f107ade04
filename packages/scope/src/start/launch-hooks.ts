// Hooks that come with the start of an agent, so that its session is told of its turns though nothing was installed.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { orRefused } from '@switchyard/ground/disk'
import { writePlainFile } from '@switchyard/ground/plain-file'
import type { Store } from '@switchyard/topic'
import { type HookGroup, hookSettings } from '@switchyard/wire/settings/hook-settings'
import type { OwnHooks } from '@switchyard/wire/settings/own-hooks'
import type { Interactive } from '../adapter.ts'
import { hookTable } from '../agents/hook-table.ts'
import { sessionFolder } from '../session/scope-store.ts'

type Groups = readonly (readonly [name: string, group: HookGroup])[]

/** Tells the hooks that somebody has installed that those of the start are there: one of the two has to be silent. */
export const launchedHooks = { SCOPE_HOOKS: 'launched' } as const

/** The words that give the agent of a session its hooks. Those of Claude Code lie in a file beside the log. */
export function launchHooks(store: Store, id: string, host: NonNullable<Interactive['hooks']>): string[] {
  const groups = Object.entries(hookSettings(host, ownHooks))
  return host === 'claude' ? [`--settings=${keepSettings(store, id, groups)}`] : codexWords(groups)
}

const ownHooks: OwnHooks = {
  ...{ tool: 'scope', table: hookTable, env: {}, isOwn: () => true, otherwise: () => '' },
  command: (host) => `${quoted(process.execPath)} ${quoted(scopePath())} hook --host ${host} --launched`,
}

const scopePath = () => join(__dirname, '..', 'bin', 'scope.cjs')

function keepSettings(store: Store, id: string, groups: Groups): string {
  const path = join(sessionFolder(store, id), 'hooks.json')
  const hooks = Object.fromEntries(groups.map(([name, group]) => [name, [group]]))
  orRefused(`${path} was to be written`, () => writePlainFile(path, JSON.stringify({ hooks })))
  return path
}

/**
 * Codex takes settings as words, and runs a hook that its user trusts: by a digest of the hook, which stands beside it.
 * It vouches for these hooks and for no other, such as those that came with the repository.
 */
function codexWords(groups: Groups): string[] {
  const hooks = groups.map(([name, group]) => `hooks.${name}=[${toml(group)}]`)
  const trusted = groups.map(([name, group]) => {
    const event = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
    return [`/<session-flags>/config.toml:${event}:0:0`, { trusted_hash: `sha256:${digestOf(event, group)}` }]
  })
  return [...hooks, `hooks.state=${toml(Object.fromEntries(trusted))}`].flatMap((word) => ['-c', word])
}

/** What Codex counts of a hook, its names in the order of the alphabet. */
function digestOf(event: string, { hooks }: HookGroup): string {
  const counted = hooks.map(({ command, timeout, type }) => ({ async: false, command, timeout, type }))
  return createHash('sha256')
    .update(JSON.stringify({ event_name: event, hooks: counted }))
    .digest('hex')
}

/** A value as TOML in one line. Its texts are those of JSON, where they have no DEL. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
  return `{${Object.entries(value)
    .map(([name, below]) => `${JSON.stringify(name)}=${toml(below)}`)
    .join(',')}}`
}

/** A word for the shell by which a host runs its hooks. */
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
