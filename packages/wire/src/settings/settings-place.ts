import { join } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import { findRepository } from '@switchyard/ground/repository'
import type { Host } from '../host.ts'

export const scopes = ['user', 'project'] as const
export type Scope = (typeof scopes)[number]

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

/**
 * The file of a host that its hooks stand in: the user's own, or that of the repository here (of the folder, where there
 * is none). Failure `usage` when nothing says where the user's home is.
 */
export function settingsPath(host: Host, scope: Scope, { cwd, env }: Where): string {
  if (scope === 'project') return join(findRepository(cwd, env['HOME'])?.top ?? cwd, projectPaths[host])
  return userPath(host, env)
}

const projectPaths: Readonly<Record<Host, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  opencode: '.opencode/plugin/loop.js',
}

function userPath(host: Host, env: Where['env']): string {
  switch (host) {
    case 'claude':
      return join(env['CLAUDE_CONFIG_DIR'] || inHome(env, '.claude'), 'settings.json')
    case 'codex':
      return join(env['CODEX_HOME'] || inHome(env, '.codex'), 'hooks.json')
    case 'gemini':
      return inHome(env, '.gemini/settings.json')
    case 'opencode':
      return join(env['XDG_CONFIG_HOME'] || inHome(env, '.config'), 'opencode/plugin/loop.js')
  }
}

function inHome(env: Where['env'], path: string): string {
  const home = env['HOME']
  if (!home)
    throw new Failure('usage', 'expected HOME to say where the settings are, got nothing', { hint: 'set HOME' })
  return join(home, path)
}
