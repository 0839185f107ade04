// The `guard` part of loop.json, checked by hand: this runs before every tool an agent uses, and a schema library
// costs more than the judgement. The schema in config/config-schema.ts is the promise; a test holds the two together.
import { isPlainObject } from '@switchyard/ground/plain-object'
import { isPack, type PackName, packNames } from '../verdict/pack-names.ts'
import type { Decision } from '../verdict/verdict.ts'

export type OwnRule = {
  readonly id: string
  readonly command: readonly string[]
  readonly flags: readonly string[]
  /** Words that it has at any place, `*` in them for any signs. */
  readonly has: readonly string[]
  readonly decision: Decision
  readonly reason: string
}

export type GuardSettings = {
  readonly base: string | undefined
  readonly protect: readonly string[]
  readonly rules: ReadonlyMap<string, Decision | 'off'>
  readonly add: readonly OwnRule[]
  readonly packs: readonly PackName[]
  /** What is wrong with the file; the rules are then the built-in ones. */
  readonly warning: string | undefined
}

const builtIn: GuardSettings = {
  base: undefined,
  protect: [],
  rules: new Map(),
  add: [],
  packs: [],
  warning: undefined,
}

/** The guard's settings from the text of loop.json. What is broken is said in `warning`, and the rest is as built in. */
export function readSettings(text: string | undefined): GuardSettings {
  if (text === undefined) return builtIn
  try {
    return settingsFrom(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return withoutSettings(error.message)
  }
}

/** The built-in settings, where those of the project cannot be read. */
export function withoutSettings(why: string): GuardSettings {
  return { ...builtIn, warning: `loop.json is not read, the guard's built-in rules hold: ${why}` }
}

function settingsFrom(json: unknown): GuardSettings {
  const config = fieldsOf(json, 'it')
  const fields = onlyOf(config.guard, 'guard', ['protect', 'rules', 'add', 'packs'])
  const { protect = [], rules: own = {}, add = [], packs = [] } = fields
  const rules = Object.entries(fieldsOf(own, 'guard.rules'))
  return {
    base: typeof config.base === 'string' ? config.base : undefined,
    protect: wordsOf(protect, 'guard.protect'),
    rules: new Map(rules.map(([id, value]) => [id, value === 'off' ? value : decisionOf(value, `guard.rules.${id}`)])),
    add: listOf(add, 'guard.add').map(ruleFrom),
    packs: wordsOf(packs, 'guard.packs').map(packFrom),
    warning: undefined,
  }
}

function packFrom(name: string): PackName {
  if (isPack(name)) return name
  throw wrong('guard.packs', `of ${packNames.join(', ')}`)
}

function ruleFrom(value: unknown): OwnRule {
  const rule = onlyOf(value ?? null, 'guard.add', ['id', 'command', 'flags', 'has', 'decision', 'reason'])
  const id = textOf(rule.id, 'guard.add.id')
  if (!/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(id)) throw wrong('guard.add.id', 'small letters, digits, dots and hyphens')
  const command = wordsOf(rule.command, 'guard.add.command')
  if (command.length === 0) throw wrong('guard.add.command', 'one word or more')
  return {
    id,
    command,
    flags: wordsOf(rule.flags === undefined ? [] : rule.flags, 'guard.add.flags'),
    has: wordsOf(rule.has === undefined ? [] : rule.has, 'guard.add.has'),
    decision: decisionOf(rule.decision, 'guard.add.decision'),
    reason: textOf(rule.reason, 'guard.add.reason'),
  }
}

function fieldsOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) throw wrong(where, 'an object')
  return { ...value }
}

/** Nothing else may be in it; nothing at all is an empty one. */
function onlyOf(value: unknown, where: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(value === undefined ? {} : value, where)
  const other = Object.keys(fields).find((name) => !names.includes(name))
  if (other !== undefined) throw wrong(where, `of ${names.join(', ')} and not ${other}`)
  return fields
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(where, 'a list')
  return value
}

const wordsOf = (value: unknown, where: string) => listOf(value, where).map((word) => textOf(word, where))

function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(where, 'a text')
  return value
}

function decisionOf(value: unknown, where: string): Decision {
  if (value === 'deny' || value === 'ask' || value === 'warn' || value === 'allow') return value
  throw wrong(where, 'deny, ask, warn or allow')
}

const wrong = (where: string, expected: string) => new SyntaxError(`expected ${where} to be ${expected}`)
