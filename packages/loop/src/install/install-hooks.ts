// What `loop install` and `loop uninstall` share: the change, made or only told.

import { readIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import type { Host } from '@switchyard/wire/host'
import { hostNamed, hosts } from '@switchyard/wire/host'
import { backupPath, changeFile, foreseeChange } from '@switchyard/wire/settings/change-file'
import { hooksInstalled, hooksRemoved } from '@switchyard/wire/settings/hook-change'
import { scopes } from '@switchyard/wire/settings/settings-place'
import { hooksPath, loopHooks } from '../plugin/loop-hooks.ts'
import { ownSource, readSource } from '../plugin/source.ts'
import type { Installed } from './install-schema.ts'

type Where = Parameters<typeof hooksPath>[2]

export const installSpec = {
  args: [{ name: 'host', summary: hosts.join(', ') }],
  flags: {
    scope: { type: 'choice', choices: scopes, default: 'user', summary: "In the user's settings, or the repository's" },
    'dry-run': { type: 'boolean', summary: 'Only say what would be done' },
  },
} as const

type Asked = { readonly host: string; readonly scope: string; readonly isDry: boolean } & Where

/** Puts our hooks into the host's file, or takes them out. Failures as those of the file's change. */
export async function changeHooks(to: 'installed' | 'removed', asked: Asked): Promise<Installed> {
  const host = requireHost(asked.host)
  const scope = scopes.find((one) => one === asked.scope) ?? 'user'
  const path = hooksPath(host, scope, asked)
  const wanted = { host, path, shim: readSource(ownSource()).shim, own: loopHooks }
  const { tool } = loopHooks
  const copy = backupPath(path, tool)
  const decide = (before: string | undefined, kept: string | undefined) =>
    to === 'installed' ? hooksInstalled(before, wanted) : hooksRemoved(before, kept, wanted)
  const { before, after } = asked.isDry ? foreseeChange(path, tool, decide) : await changeFile(path, tool, decide)
  return {
    v: 1,
    host,
    scope,
    path,
    state: before === after ? 'unchanged' : to,
    dry_run: asked.isDry,
    backup: readIfThere(copy) === undefined ? null : copy,
    content: after ?? null,
  }
}

function requireHost(name: string): Host {
  const host = hostNamed(name)
  if (host !== undefined) return host
  throw new Failure('usage', `expected a host, ${hosts.join(', ')}, got ${name}`, {
    hint: 'any other agent works with loop run --with',
  })
}

/** A line for people. */
export function renderInstalled({ host, path, state, dry_run, backup }: Installed): string {
  const word = dry_run && state !== 'unchanged' ? `would be ${state}` : state
  return `${host}  ${word}  ${path}${backup === null ? '' : `  before: ${backup}`}`
}
