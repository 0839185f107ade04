import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import type { Host } from '../host.ts'
import type { SettingsHost } from './hook-entry.ts'

export const scopes = ['user', 'project'] as const
export type Scope = (typeof scopes)[number]

export type Where = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whose hooks they are: opencode has a file for each tool. */
  readonly tool: string
}

/**
 * The file of a host that its hooks stand in: the user's own, or that of the repository here (of the folder, where there
 * is none). Failure `usage` when nothing says where the user's home is.
 */
export function settingsPath(host: Host, scope: Scope, { cwd, env, tool }: Where): string {
  if (scope === 'user') return userPath(host, env, tool)
  return join(findRepository(cwd, env['HOME'])?.top ?? cwd, projectPath(host, tool))
}

const projectPaths: Readonly<Record<SettingsHost, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
}

const projectPath = (host: Host, tool: string) =>
  host === 'opencode' ? `.opencode/plugin/${tool}.js` : projectPaths[host]

function userPath(host: Host, env: Where['env'], tool: string): string {
  switch (host) {
    case 'claude':
      return join(env['CLAUDE_CONFIG_DIR'] || inHome(env, '.claude'), 'settings.json')
    case 'codex':
      return join(env['CODEX_HOME'] || inHome(env, '.codex'), 'hooks.json')
    case 'gemini':
      return inHome(env, '.gemini/settings.json')
    case 'opencode':
      return join(env['XDG_CONFIG_HOME'] || inHome(env, '.config'), `opencode/plugin/${tool}.js`)
  }
}

function inHome(env: Where['env'], path: string): string {
  const home = env['HOME']
  if (!home)
    throw new Failure('usage', 'expected HOME to say where the settings are, got nothing', { hint: 'set HOME' })
  return join(home, path)
}
