// The hooks of an agent that a run starts: those that its user has installed, else brought along where that can be.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Runner } from '@switchyard/exec/runner'
import { isFailure } from '@switchyard/ground/failure'
import { type Host, hosts } from '@switchyard/wire/host'
import { hookSettings } from '@switchyard/wire/settings/hook-settings'
import { hasPlugin } from '../install/has-plugin.ts'
import { changeHooks } from '../install/install-hooks.ts'
import { loopHooks } from '../plugin/loop-hooks.ts'

type Asked = {
  readonly runner: Runner
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where a file may lie as long as the run lives. */
  readonly folder: string
  readonly note: (text: string) => void
}

/** What `scope run` is told beside; says so when nothing guards what the agent does. */
export async function bringHooks({ runner, cwd, env, folder, note }: Asked): Promise<readonly string[]> {
  if (!('agent' in runner)) return []
  const { agent } = runner
  const host = hosts.find((name) => name === agent)
  if (host === undefined) {
    note(`nothing guards what ${agent} does: it has no hooks`)
    return []
  }
  if (await hasHooks(host, { cwd, env })) return []
  if (host !== 'claude') {
    note(`nothing guards what ${agent} does: loop install ${agent} puts the hooks into its settings`)
    return []
  }
  const groups = Object.entries(hookSettings('claude', loopHooks)).map(([name, group]) => [name, [group]])
  const path = join(folder, 'claude-settings.json')
  writeFileSync(path, `${JSON.stringify({ hooks: Object.fromEntries(groups) })}\n`)
  return ['--settings', path]
}

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

/** Whether the user's own settings of a host call our hooks, or its plugin does. Settings nobody can read say no. */
async function hasHooks(host: Host, where: Where): Promise<boolean> {
  try {
    if ((await changeHooks('removed', { host, scope: 'user', ...where, isDry: true })).state !== 'unchanged')
      return true
    return host === 'claude' && hasPlugin(['user'], where)
  } catch (error) {
    if (!isFailure(error)) throw error
    return false
  }
}
