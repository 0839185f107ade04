// Settings of a host that keep hooks from running, or end a loop before its time.

import { readIfThere } from '@switchyard/ground/disk'
import { bad, type Finding, ok, warn } from '@switchyard/topic/examine/finding'
import type { Host } from '@switchyard/wire/host'
import { type Fields, fieldsOf } from '@switchyard/wire/host-fields'
import { parseSettings } from '@switchyard/wire/settings/json-text'
import { capName, hooksPath } from '../plugin/loop-hooks.ts'
import { examineTrust } from './codex-trust.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }
const defaultCap = 8

/** What is known to stand in the way of a host's hooks. */
export function hindrances(host: Host, where: Where): Finding[] {
  switch (host) {
    case 'claude':
      return ofClaude(where)
    case 'codex':
      return examineTrust(where)
    case 'gemini':
      return ofGemini(where)
    case 'opencode':
      return []
  }
}

function ofClaude(where: Where): Finding[] {
  const user = hooksPath('claude', 'user', where)
  const project = hooksPath('claude', 'project', where)
  const all = [user, project, project.replace(/settings\.json$/, 'settings.local.json')]
  const offs = all.flatMap((path) =>
    ['disableAllHooks', 'allowManagedHooksOnly'].flatMap((name) =>
      readSettings(path)[name] === true
        ? [bad('claude', `${name} in ${path} switches all hooks off`, `take it out of ${path}`)]
        : [],
    ),
  )
  const caps = [...all.map((path) => fieldsOf(readSettings(path)['env'])[capName]), where.env[capName]]
  const said = caps.findLast((cap) => cap !== undefined)
  const cap = said === undefined ? defaultCap : Number(said)
  const detail = `ends a turn after ${cap} stops in a row that a hook blocked`
  if (cap > defaultCap) return [...offs, ok('claude', detail)]
  const advice = `set env.${capName} in ${user}, as loop install claude does; the loop goes on with the next prompt`
  return [...offs, warn('claude', detail, advice)]
}

function ofGemini(where: Where): Finding[] {
  const paths = [hooksPath('gemini', 'user', where), hooksPath('gemini', 'project', where)]
  const off = paths.find((path) => fieldsOf(readSettings(path)['hooksConfig'])['enabled'] === false)
  return off === undefined ? [] : [bad('gemini', `hooksConfig.enabled in ${off} switches hooks off`, 'set it to true')]
}

/** Settings that cannot be read say nothing here; whether they can is another check. */
function readSettings(path: string): Fields {
  return fieldsOf(settingsIn(readIfThere(path) ?? '{}'))
}

/** Settings as people write them, with comments; undefined where they cannot be read. */
function settingsIn(text: string): unknown {
  try {
    return parseSettings(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
