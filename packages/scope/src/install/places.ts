// The files that belong to the user or to the project, and that scope may write a part of.
import { dirname, join } from 'node:path'
import { realPathIfThere } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import type { Host } from '@switchyard/wire/host'
import { type Scope, settingsPath } from '@switchyard/wire/settings/settings-place'

export type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

/** What each agent reads at every start. */
const names: Readonly<Record<Host, string>> = {
  claude: 'CLAUDE.md',
  codex: 'AGENTS.md',
  gemini: 'GEMINI.md',
  opencode: 'AGENTS.md',
}

/** The file with the hooks of a host. */
export const hooksPath = (host: Host, scope: Scope, where: Where): string =>
  settingsPath(host, scope, { ...where, tool: 'scope' })

/** The file with the instructions for a host: of the user it lies where the settings do, of a project at its top. */
export function instructionsPath(host: Host, scope: Scope, where: Where): string {
  if (scope === 'project') return join(projectOf(where), names[host])
  const settings = dirname(hooksPath(host, 'user', where))
  return join(host === 'opencode' ? dirname(settings) : settings, names[host])
}

const projectOf = ({ cwd, env }: Where) => findRepository(cwd, env['HOME'])?.top ?? cwd

/**
 * Fails as `conflict` where a file of the project leads out of it: its links came with the repository. Links of the
 * user's own are followed.
 */
export function requireInside(path: string, where: Where): void {
  const project = projectOf(where)
  const top = realPathIfThere(project) ?? project
  const real = nearestReal(path)
  if (real === top || real.startsWith(`${top}/`)) return
  throw new Failure('conflict', `expected ${path} to lie in the project, it leads to ${real}; nothing was changed`, {
    hint: 'take the link away, or leave out --project',
    retryable: false,
  })
}

/** Where a path leads, or the folder that it will be made in. */
const nearestReal = (path: string): string => realPathIfThere(path) ?? nearestReal(dirname(path))
