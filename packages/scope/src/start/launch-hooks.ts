// Hooks that come with the start of an agent, so that its session is told of its turns though nothing was installed:
// a file of settings that count beside its user's.
import { join } from 'node:path'
import process from 'node:process'
import { orRefused } from '@switchyard/ground/disk'
import { writePlainFile } from '@switchyard/ground/plain-file'
import type { Store } from '@switchyard/topic'
import { hookSettings } from '@switchyard/wire/settings/hook-settings'
import type { OwnHooks } from '@switchyard/wire/settings/own-hooks'
import { hookTable } from '../agents/hook-table.ts'
import { sessionFolder } from '../session/scope-store.ts'

/** Tells the hooks that somebody has installed that those of the start are there: one of the two has to be silent. */
export const launchedHooks = { SCOPE_HOOKS: 'launched' } as const

/** Writes the settings of a session whose agent is Claude Code; returns where they lie. */
export function keepLaunchHooks(store: Store, id: string): string {
  const path = join(sessionFolder(store, id), 'hooks.json')
  const scope = join(__dirname, '..', 'bin', 'scope.cjs')
  const own: OwnHooks = {
    ...{ tool: 'scope', table: hookTable, env: {}, isOwn: () => true, otherwise: () => '' },
    command: (host) => `${quoted(process.execPath)} ${quoted(scope)} hook --host ${host} --launched`,
  }
  const groups = Object.entries(hookSettings('claude', own)).map(([name, group]) => [name, [group]])
  orRefused(`${path} was to be written`, () =>
    writePlainFile(path, JSON.stringify({ hooks: Object.fromEntries(groups) })),
  )
  return path
}

/** A word for the shell by which a host runs its hooks. */
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
