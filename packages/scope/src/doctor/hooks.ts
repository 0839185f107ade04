// Whether the hooks of scope in the settings of agents are whole. Claude Code in a terminal has them from its start.
import { isFailure } from '@switchyard/ground/failure'
import { type Finding, mendable, ok, type Visit, warn } from '@switchyard/topic/examine/finding'
import { type Host, hosts } from '@switchyard/wire/host'
import { type Scope, scopes } from '@switchyard/wire/settings/settings-place'
import { hooksPath, type Where } from '../install/places.ts'
import { setUp } from '../install/set-up.ts'

type HookVisit = Visit & Where

/** Looks at the settings of each agent. With `fix`, hooks of an earlier version are renewed. */
export async function examineHooks(visit: HookVisit): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const host of hosts) {
    const found: Finding[] = []
    for (const scope of scopes) found.push(...(await examineScope(host, scope, visit)))
    findings.push(...(found.length === 0 ? [ok(host, 'no hooks of scope in its settings')] : found))
  }
  return findings
}

/** Nothing where none of the hooks is there. */
async function examineScope(host: Host, scope: Scope, visit: HookVisit): Promise<Finding[]> {
  const asked = { parts: ['hooks'], agents: [host], scope } as const
  try {
    const path = hooksPath(host, scope, visit)
    const [removed] = await setUp({ ...asked, to: 'removed', isDry: true }, visit)
    if (removed?.state !== 'removed') return []
    const [installed] = await setUp({ ...asked, to: 'installed', isDry: true }, visit)
    if (installed?.state === 'unchanged') return [ok(host, `its hooks in ${path} are whole`)]
    if (visit.fix) await setUp({ ...asked, to: 'installed', isDry: false }, visit)
    return [mendable(host, `the hooks in ${path} are not those of this version`, visit)]
  } catch (error) {
    if (!isFailure(error)) throw error
    return [warn(host, error.message, error.hint ?? 'mend the file')]
  }
}
