// Which hosts have our hooks, whether something keeps them from running, and when they last ran.
import { join } from 'node:path'
import { renderAge } from '@switchyard/cli-kit/age'
import { execute } from '@switchyard/exec'
import { statAt } from '@switchyard/ground/at-path'
import { isFailure } from '@switchyard/ground/failure'
import { bad, type Finding, mendable, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import { type Host, hosts } from '@switchyard/wire/host'
import { type Scope, scopes } from '@switchyard/wire/settings/settings-place'
import { hasPlugin } from '../install/has-plugin.ts'
import { changeHooks } from '../install/install-hooks.ts'
import { hookTable } from '../plugin/hook-table.ts'
import { hooksPath } from '../plugin/loop-hooks.ts'
import { fromPlugin, hooksFolder } from '../record/last-seen.ts'
import { hindrances } from './hindrances.ts'

type Env = Readonly<Record<string, string | undefined>>
export type HostVisit = Visit & { readonly env: Env; readonly commonDir: string | undefined }

const recentMs = 7 * 86_400_000

/** What is known about one host. `isInstalled`: its hooks are to be proved. */
export type Examined = { readonly host: Host; readonly isInstalled: boolean; readonly findings: readonly Finding[] }

/** Looks at each host in turn. With `fix`, hooks of an earlier version are renewed. */
export async function examineHosts(visit: HostVisit): Promise<Examined[]> {
  const examined: Examined[] = []
  for (const host of hosts) examined.push(await examineHost(host, visit))
  return examined
}

async function examineHost(host: Host, visit: HostVisit): Promise<Examined> {
  const findings: Finding[] = []
  const places: string[] = []
  for (const scope of scopes) {
    const { isThere, found } = await examineScope(host, scope, visit)
    if (isThere) places.push(hooksPath(host, scope, visit))
    findings.push(...found)
  }
  const isPlugged = host === 'claude' && hasPlugin(scopes, visit)
  if (isPlugged) places.push('its plugin loop')
  if (host === 'claude' && places.length > 0 && !isPlugged) findings.push(...besidePlugin(visit))
  if (places.length > 1) {
    const detail = `the hooks are in ${places.join(' and in ')}, so each runs ${places.length} times`
    findings.push(bad(host, detail, `keep one: loop uninstall ${host}, --scope project, or the plugin's removal`))
  }
  if (places.length === 0) return { host, isInstalled: false, findings: [ok(host, 'no hooks of loop'), ...findings] }
  const seen = ok(host, `hooks in ${places.join(', ')}; last: ${lastSeen(host, visit)}`)
  const shell = host === 'codex' ? [await examineLoginShell(visit)] : []
  return { host, isInstalled: true, findings: [seen, ...findings, ...hindrances(host, visit), ...shell] }
}

type Scoped = { isThere: boolean; found: Finding[] }

/** Whether a scope has our hooks: what an install would change says whether they are of this version. */
async function examineScope(host: Host, scope: Scope, visit: HostVisit): Promise<Scoped> {
  const asked = { host, scope, cwd: visit.cwd, env: visit.env, isDry: true }
  try {
    const { state } = await changeHooks('removed', asked)
    if (state === 'unchanged') return { isThere: false, found: [] }
    const { state: next, path } = await changeHooks('installed', asked)
    if (next === 'unchanged') return { isThere: true, found: [] }
    if (visit.fix) await changeHooks('installed', { ...asked, isDry: false })
    return { isThere: true, found: [mendable(host, `the hooks in ${path} are not those of this version`, visit)] }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { isThere: false, found: [warn(host, error.message, error.hint ?? 'mend the file')] }
  }
}

/** A plugin that is given for one session (`--plugin-dir`) stands in no settings; its hooks were heard. */
function besidePlugin({ commonDir, now }: HostVisit): Finding[] {
  const at = commonDir === undefined ? undefined : heardAt(commonDir, 'claude', fromPlugin)
  if (at === undefined || now - at > recentMs) return []
  const detail = `the plugin ran here too ${renderAge(at, now)}, as with --plugin-dir: each hook runs twice then`
  return [warn('claude', detail, 'loop uninstall claude, or leave out --plugin-dir')]
}

function heardAt(commonDir: string, host: Host, event: string): number | undefined {
  return statAt(join(hooksFolder(commonDir), `${host}.${event}`))?.mtimeMs
}

/** When each hook of a host last ran in this repository, the newest first. */
function lastSeen(host: Host, { commonDir, now }: HostVisit): string {
  if (commonDir === undefined) return 'unknown outside a repository'
  const events = hookTable[host === 'opencode' ? 'claude' : host].map(({ event }) => event)
  const times = events.flatMap((event) => {
    const at = heardAt(commonDir, host, event)
    return at === undefined ? [] : [{ event, at }]
  })
  if (times.length === 0) return 'none of them has run in this repository since loop was first used here'
  const newest = times.toSorted((left, right) => right.at - left.at)
  return newest.map(({ event, at }) => `${event} ${renderAge(at, now)}`).join(', ')
}

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

const shellMsMax = 20_000

/** Whether Codex finds `loop`: it runs commands in a login shell, whose profile may set another PATH than ours. */
async function examineLoginShell({ cwd, env }: Where): Promise<Finding> {
  const shell = env['SHELL'] ?? '/bin/sh'
  const ran = await execute([shell, '-lc', 'command -v loop'], {
    cwd,
    env,
    timeoutMs: shellMsMax,
    outputBytesMax: 4096,
  })
  const path = ran.stdout.trim().split('\n').at(-1) ?? ''
  if (ran.exitCode === 0 && path !== '') return ok('codex', `its login shell finds ${path}`)
  const advice = 'put the folder of loop on PATH in ~/.profile, or in what your shell reads at login'
  return warn('codex', `runs commands in a login shell (${shell} -lc), which finds no loop`, advice)
}
