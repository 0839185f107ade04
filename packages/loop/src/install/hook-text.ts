// A host's settings with our hooks, and without them: text in, text out.

import { Failure } from '@switchyard/ground/failure'
import { isPlainObject } from '@switchyard/ground/plain-object'
import { hookSettings } from '../hosts/hook-settings.ts'
import { isOurHook, type SettingsHost } from '../hosts/hook-table.ts'
import { withElement, withMember, withoutItem } from './json-edit.ts'
import { containerAt, memberOf } from './json-place.ts'

/**
 * Claude Code ends a turn after so many stops in a row that a hook blocked, 8 when nothing is set: fewer than a loop
 * has iterations.
 */
export const capName = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'
const capValue = '1000'

/**
 * The settings with our hooks behind those that are there. Unchanged when they are there already; hooks of an earlier
 * version are replaced. Failure `corrupt` when the text is not what the host could have written; `path` is named by it.
 */
export function withHooks(text: string, host: SettingsHost, path: string): string {
  const sound = checked(text.trim() === '' ? '{}\n' : text, host, path)
  const wanted = Object.entries(hookSettings(host))
  const isThere = wanted.every(([name, group]) => {
    const ours = groupsOf(sound, name).filter((value) => hasOurs(value))
    return ours.length === 1 && JSON.stringify(ours[0]) === JSON.stringify(group)
  })
  const isMore = Object.keys(hooksIn(sound)).some(
    (name) => !Object.hasOwn(hookSettings(host), name) && groupsOf(sound, name).some(hasOurs),
  )
  const withOurs = isThere && !isMore ? sound : wanted.reduce(addHook, withoutOurs(sound))
  return host === 'claude' ? withCap(withOurs) : withOurs
}

/** The settings without our hooks, and without what is empty then. */
export function withoutHooks(text: string, host: SettingsHost, path: string): string {
  if (text.trim() === '') return text
  const without = withoutOurs(checked(text, host, path))
  return host === 'claude' ? withoutCap(without) : without
}

/** The events of the host for which our hook is there. */
export function installedEvents(text: string, host: SettingsHost, path: string): string[] {
  const sound = checked(text.trim() === '' ? '{}' : text, host, path)
  return Object.keys(hookSettings(host)).filter((name) => groupsOf(sound, name).some(hasOurs))
}

function addHook(text: string, [name, group]: readonly [string, unknown]): string {
  const root = containerAt(text)
  const hooks = memberOf(root, 'hooks')
  if (hooks === undefined) return withMember(text, root.start, 'hooks', { [name]: [group] })
  const list = memberOf(containerAt(text, hooks.value), name)
  return list === undefined ? withMember(text, hooks.value, name, [group]) : withElement(text, list.value, group)
}

/** From the end to the beginning, so that what is still to be looked at stays where it is. */
function withoutOurs(text: string): string {
  const hooks = memberOf(containerAt(text), 'hooks')
  if (hooks === undefined) return text
  const events = containerAt(text, hooks.value).items
  const cleared = events.reduceRight((now, { value, key }, index) => {
    if (!Array.isArray(hooksIn(text)[key ?? ''])) return now
    const groups = containerAt(now, value).items
    const without = groups.reduceRight((inner, _, place) => withoutOursIn(inner, value, place), now)
    const isEmptied = groups.length > 0 && containerAt(without, value).items.length === 0
    return isEmptied ? withoutItem(without, hooks.value, index) : without
  }, text)
  const isEmptied = events.length > 0 && containerAt(cleared, hooks.value).items.length === 0
  return isEmptied ? withoutMember(cleared, 'hooks') : cleared
}

/** The text without our commands in one group of an event's list; without the group when it has no others. */
function withoutOursIn(text: string, list: number, place: number): string {
  const group = containerAt(text, list).items[place]
  const value: unknown = JSON.parse(text.slice(group?.value, group?.end))
  const commands = innerHooks(value)
  if (group === undefined || !commands.some(isOurHook)) return text
  if (commands.every(isOurHook)) return withoutItem(text, list, place)
  const inner = memberOf(containerAt(text, group.value), 'hooks')?.value ?? group.value
  return commands.reduceRight<string>(
    (now, command, index) => (isOurHook(command) ? withoutItem(now, inner, index) : now),
    text,
  )
}

function withCap(text: string): string {
  const root = containerAt(text)
  const env = memberOf(root, 'env')
  if (env === undefined) return withMember(text, root.start, 'env', { [capName]: capValue })
  const isSet = memberOf(containerAt(text, env.value), capName) !== undefined
  return isSet ? text : withMember(text, env.value, capName, capValue)
}

function withoutCap(text: string): string {
  const env = memberOf(containerAt(text), 'env')
  if (env === undefined) return text
  const { items } = containerAt(text, env.value)
  const place = items.findIndex(({ key, value, end }) => key === capName && text.slice(value, end) === `"${capValue}"`)
  if (place < 0) return text
  return items.length === 1 ? withoutMember(text, 'env') : withoutItem(text, env.value, place)
}

function withoutMember(text: string, name: string): string {
  const root = containerAt(text)
  return withoutItem(
    text,
    root.start,
    root.items.findIndex(({ key }) => key === name),
  )
}

function groupsOf(text: string, name: string): readonly unknown[] {
  const groups = hooksIn(text)[name]
  return Array.isArray(groups) ? groups : []
}

const hasOurs = (group: unknown) => innerHooks(group).some(isOurHook)

function innerHooks(group: unknown): readonly unknown[] {
  const { hooks } = objectOf(group) ?? {}
  return Array.isArray(hooks) ? hooks : []
}

function hooksIn(text: string): Record<string, unknown> {
  return objectOf(objectOf(JSON.parse(text))?.['hooks']) ?? {}
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? { ...value } : undefined
}

/** The text, when it is an object whose parts that we change are what they should be, each there once. */
function checked(text: string, host: SettingsHost, path: string): string {
  const refuse = (what: string) =>
    new Failure('corrupt', `expected settings in ${path}, ${what}; nothing was changed`, {
      hint: `mend it, or use the plugin: loop plugin build --host ${host}`,
    })
  const root = objectOf(parsed(text, refuse))
  if (root === undefined) throw refuse('got JSON that is no object')
  const hooks = root['hooks'] === undefined ? {} : objectOf(root['hooks'])
  if (hooks === undefined) throw refuse('got hooks that are no object')
  if (root['env'] !== undefined && objectOf(root['env']) === undefined) throw refuse('got env that is no object')
  const bad = Object.keys(hookSettings(host)).find((name) => hooks[name] !== undefined && !Array.isArray(hooks[name]))
  if (bad !== undefined) throw refuse(`got hooks for ${bad} that are no list`)
  const at = memberOf(containerAt(text), 'hooks')?.value
  const keys = [...keysAt(text), ...(at === undefined ? [] : keysAt(text, at))]
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) throw refuse(`got ${twice} twice`)
  return text
}

const keysAt = (text: string, start?: number) => containerAt(text, start).items.map(({ key }) => key)

function parsed(text: string, refuse: (what: string) => Failure): unknown {
  if (text.includes('\uFFFD')) throw refuse('got bytes that are no UTF-8')
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw refuse(`got ${/^\s*(\/\/|\/\*)/m.test(text) ? 'comments' : 'no JSON'}: ${error.message}`)
  }
}
