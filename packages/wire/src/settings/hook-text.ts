// A host's settings with our hooks, and without them: text in, text out.

import { Failure } from '@switchyard/ground/failure'
import { isPlainObject } from '@switchyard/ground/plain-object'
import type { SettingsHost } from './hook-entry.ts'
import { hookSettings } from './hook-settings.ts'
import { findTwice, isBare, type JSONPath, parseSettings, withElement, without, withValue } from './json-text.ts'
import { isOwnHook, type OwnHooks } from './own-hooks.ts'

/** The settings of which host, where they lie, and whose hooks are looked at. */
export type Settings = { readonly host: SettingsHost; readonly path: string; readonly own: OwnHooks }

/**
 * The settings with our hooks behind those that are there. Unchanged when they are there already; hooks of an earlier
 * version are replaced. Failure `corrupt` when the text is not what the host could have written; `path` is named by it.
 */
export function withHooks(text: string, settings: Settings): string {
  const { host, own } = settings
  const sound = checked(text.trim() === '' ? '{}\n' : text, settings)
  const hooks = hookSettings(host, own)
  const wanted = Object.entries(hooks)
  const hasOurs = (group: unknown) => hasOwn(group, own)
  const isThere = wanted.every(([name, group]) => {
    const ours = groupsOf(sound, name).filter(hasOurs)
    return ours.length === 1 && JSON.stringify(ours[0]) === JSON.stringify(group)
  })
  const isMore = Object.keys(hooksIn(sound)).some(
    (name) => !Object.hasOwn(hooks, name) && groupsOf(sound, name).some(hasOurs),
  )
  const withOurs = isThere && !isMore ? sound : wanted.reduce(addHook, withoutOurs(sound, own))
  return host === 'claude' ? Object.entries(own.env).reduce(withVariable, withOurs) : withOurs
}

/** The settings without our hooks, and without what is empty then. */
export function withoutHooks(text: string, settings: Settings): string {
  if (text.trim() === '') return text
  const without = withoutOurs(checked(text, settings), settings.own)
  return settings.host === 'claude' ? Object.entries(settings.own.env).reduce(withoutVariable, without) : without
}

/** The events of the host for which our hook is there. */
export function installedEvents(text: string, settings: Settings): string[] {
  const { host, own } = settings
  const sound = checked(text.trim() === '' ? '{}' : text, settings)
  return Object.keys(hookSettings(host, own)).filter((name) =>
    groupsOf(sound, name).some((group) => hasOwn(group, own)),
  )
}

function addHook(text: string, [name, group]: readonly [string, unknown]): string {
  return Array.isArray(hooksIn(text)[name])
    ? withElement(text, ['hooks', name], group)
    : withValue(text, ['hooks', name], [group])
}

/** From the end to the beginning, so that what is still to be looked at keeps its place. */
function withoutOurs(text: string, own: OwnHooks): string {
  const names = Object.keys(hooksIn(text))
  const cleared = names.reduce((now, name) => withoutOursOf(now, name, own), text)
  const isEmptied = names.length > 0 && isBare(cleared, ['hooks'])
  return isEmptied ? without(cleared, ['hooks']) : cleared
}

/** The text without our commands for one event, and without what has no others then. */
function withoutOursOf(text: string, name: string, own: OwnHooks): string {
  const groups = groupsOf(text, name)
  const cleared = groups.reduceRight<string>(
    (now, group, at) => withoutOursIn(now, group, ['hooks', name, at], own),
    text,
  )
  const isEmptied = groups.length > 0 && isBare(cleared, ['hooks', name])
  return isEmptied ? without(cleared, ['hooks', name]) : cleared
}

function withoutOursIn(text: string, group: unknown, path: JSONPath, own: OwnHooks): string {
  const isOurs = (hook: unknown) => isOwnHook(hook, own)
  const commands = innerHooks(group)
  if (!commands.some(isOurs)) return text
  if (commands.every(isOurs)) return without(text, path)
  return commands.reduceRight<string>(
    (now, command, at) => (isOurs(command) ? without(now, [...path, 'hooks', at]) : now),
    text,
  )
}

type Variable = readonly [name: string, value: string]

function withVariable(text: string, [name, value]: Variable): string {
  return Object.hasOwn(envIn(text), name) ? text : withValue(text, ['env', name], value)
}

function withoutVariable(text: string, [name, value]: Variable): string {
  const env = envIn(text)
  if (env[name] !== value) return text
  return without(text, Object.keys(env).length === 1 ? ['env'] : ['env', name])
}

function groupsOf(text: string, name: string): readonly unknown[] {
  const groups = hooksIn(text)[name]
  return Array.isArray(groups) ? groups : []
}

const hasOwn = (group: unknown, own: OwnHooks) => innerHooks(group).some((hook) => isOwnHook(hook, own))

function innerHooks(group: unknown): readonly unknown[] {
  const { hooks } = objectOf(group) ?? {}
  return Array.isArray(hooks) ? hooks : []
}

function hooksIn(text: string): Record<string, unknown> {
  return objectOf(objectOf(parseSettings(text))?.['hooks']) ?? {}
}

function envIn(text: string): Record<string, unknown> {
  return objectOf(objectOf(parseSettings(text))?.['env']) ?? {}
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isPlainObject(value) ? { ...value } : undefined
}

/** The text, when it is an object whose parts that we change are what they should be, each there once. */
function checked(text: string, { host, path, own }: Settings): string {
  const refuse = (what: string) =>
    new Failure('corrupt', `expected settings in ${path}, ${what}; nothing was changed`, {
      hint: own.otherwise(host),
    })
  const root = objectOf(parsed(text, refuse))
  if (root === undefined) throw refuse('got JSON that is no object')
  const hooks = root['hooks'] === undefined ? {} : objectOf(root['hooks'])
  if (hooks === undefined) throw refuse('got hooks that are no object')
  if (root['env'] !== undefined && objectOf(root['env']) === undefined) throw refuse('got env that is no object')
  const bad = Object.keys(hookSettings(host, own)).find(
    (name) => hooks[name] !== undefined && !Array.isArray(hooks[name]),
  )
  if (bad !== undefined) throw refuse(`got hooks for ${bad} that are no list`)
  const twice = findTwice(text, []) ?? findTwice(text, ['hooks'])
  if (twice !== undefined) throw refuse(`got ${twice} twice`)
  return text
}

function parsed(text: string, refuse: (what: string) => Failure): unknown {
  if (text.includes('\uFFFD')) throw refuse('got bytes that are no UTF-8')
  try {
    return parseSettings(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw refuse(`got no JSON: ${error.message}`)
  }
}
