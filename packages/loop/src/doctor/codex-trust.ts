// Which of our hooks a person has trusted in Codex. It keeps that by the file and the place of each hook in it, and
// leaves out every other hook without a word.

import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readIfThere } from '@switchyard/ground/disk'
import { parseJson } from '@switchyard/ground/parse-json'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { type Finding, ok, warn } from '@switchyard/topic/examine/finding'
import { fieldsOf, listIn } from '@switchyard/wire/host-fields'
import { isOwnHook } from '@switchyard/wire/settings/own-hooks'
import { hookTable } from '../plugin/hook-table.ts'
import { hooksPath, loopHooks } from '../plugin/loop-hooks.ts'

type Where = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }

const advice = 'start codex, open its review of hooks, press t; or run it with --dangerously-bypass-hook-trust'

/** Whether all of our hooks are trusted, and which are not. */
export function examineTrust(where: Where): Finding[] {
  const user = hooksPath('codex', 'user', where)
  const trusted = trustedKeys(readIfThere(join(dirname(user), 'config.toml')) ?? '')
  return [user, hooksPath('codex', 'project', where)].flatMap((path) => {
    const ours = ourHooks(path)
    const not = ours.filter(({ keys }) => !keys.some((key) => trusted.has(key))).map(({ name }) => name)
    if (ours.length === 0) return []
    if (not.length === 0)
      return [ok('codex', `all ${ours.length} hooks in ${path} are trusted; Codex asks again when they change`)]
    if (not.length === ours.length)
      return [warn('codex', `nobody has trusted the hooks in ${path}, so Codex leaves them out without a word`, advice)]
    return [
      warn(
        'codex',
        `nobody has trusted the hooks for ${not.join(', ')} in ${path}, so Codex leaves these out without a word`,
        advice,
      ),
    ]
  })
}

/** Our hooks in a file, by the event's name, with the keys that Codex may keep each by. */
function ourHooks(path: string): { name: string; keys: string[] }[] {
  const hooks = fieldsOf(fieldsOf(parseJson(readIfThere(path) ?? '{}'))['hooks'])
  return hookTable.codex.flatMap(({ name }) => {
    const groups: unknown[] = Array.isArray(hooks[name]) ? hooks[name] : []
    return groups.flatMap((group, at) => {
      const inner = isPlainObject(group) ? listIn(group, 'hooks').findIndex((hook) => isOwnHook(hook, loopHooks)) : -1
      const place = `${inWords(name)}:${at}:${inner}`
      return inner < 0 ? [] : [{ name, keys: [path, realpathSync(path)].map((file) => `${file}:${place}`) }]
    })
  })
}

const inWords = (name: string) => name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** What the tables of `config.toml` say is trusted, and not switched off. */
function trustedKeys(toml: string): ReadonlySet<string> {
  const tables = toml.split(/^[ \t]*(?=\[)/m)
  return new Set(
    tables.flatMap((table) => {
      const [, quoted] = /^\[hooks\.state\.("(?:[^"\\\n]|\\.)*")\]/.exec(table) ?? []
      const isOn = /^\s*trusted_hash\s*=/m.test(table) && !/^\s*enabled\s*=\s*false\b/m.test(table)
      const key: unknown = quoted === undefined || !isOn ? undefined : parseJson(quoted)
      return typeof key === 'string' ? [key] : []
    }),
  )
}
