// Settings by their names: `max_running`, `types.explore.model`, `profiles.quick.agent`.
import { Failure } from '@switchyard/ground/failure'
import { isPlainObject } from '@switchyard/ground/plain-object'
import type { z } from 'zod'
import { firstIssue } from '../first-issue.ts'
import { valueAt } from '../value-at.ts'
import type { Config, Setting } from './config-schema.ts'

type Json = Setting['value']

/** Where a name leads that is none. */
export const hint = 'scope config lists them'

/** What holds where nothing is set, and what each setting is for. */
const known: ReadonlyMap<string, { readonly value: Json; readonly summary: string }> = new Map(
  Object.entries({
    max_running: { value: null, summary: 'sessions at a time; spawn refuses more, or waits with --queue' },
    max_depth: { value: 10, summary: 'how deep sessions start sessions; 0: only people do' },
    max_completed_sessions: { value: 20, summary: 'sessions that are over and are listed' },
    timeout: { value: '24h', summary: 'when a session is ended' },
    max_cost: { value: null, summary: 'US dollars that a session may spend, with all that it starts' },
    max_tokens: { value: null, summary: 'tokens that it may take, in and out' },
    idle_timeout: { value: null, summary: 'how long nothing may be heard of a session' },
    'worktree.setup': { value: null, summary: 'a shell line that is run in each new worktree' },
    'worktree.setup_timeout': { value: '10m', summary: 'when it is ended' },
    'worktree.copy': { value: [], summary: 'files that git ignores and a new worktree gets, such as .env' },
  }),
)

const groups: ReadonlyMap<string, string> = new Map([
  ['types', 'types.TYPE.agent, .model, .access, .timeout, .max_cost, .max_tokens: for spawn --type TYPE'],
  ['agents', 'agents.NAME.command, .prompt, .model, .resume, .access, .answer: an agent of your own'],
  ['notify', 'notify.command, .on, .timeout: what is run when a session needs input or ends'],
  ['profiles', 'profiles.NAME.agent, .model, .access, .timeout, .max_cost, .max_tokens: for --profile NAME'],
])

/** What counts of a setting that has a default. */
export const limitOf = <Name extends 'max_depth' | 'max_completed_sessions'>(
  config: Pick<Config, Name>,
  name: Name,
): number => config[name] ?? Number(known.get(name)?.value)

/** All settings: those that stand alone, and what each group has. */
export function listSettings(config: Config): Setting[] {
  const alone = [...known.keys()].map((name) => settingOf(config, name))
  const grouped = [...groups.keys()].flatMap((group) =>
    leaves(valueAt(config, [group]), group).map(([name]) => settingOf(config, name)),
  )
  return [...alone, ...grouped]
}

/** One of them, or all of a group. Exits 3 on a name that is none. */
export function findSettings(config: Config, name: string): Setting[] {
  const found = listSettings(config).filter((setting) => setting.name === name || setting.name.startsWith(`${name}.`))
  if (found.length > 0 || groups.has(name)) return found
  throw new Failure('notFound', `there is no setting ${name}`, { hint })
}

function settingOf(config: Config, name: string): Setting {
  const value = valueAt(config, name.split('.')) as Json | undefined
  const { value: other = null, summary = groups.get(name.split('.')[0] ?? '') ?? '' } = known.get(name) ?? {}
  const isSet = value !== undefined
  return { v: 1, name, value: isSet ? value : other, origin: isSet ? 'user' : 'default', summary }
}

function leaves(value: unknown, name: string): (readonly [string, unknown])[] {
  if (!isPlainObject(value)) return value === undefined ? [] : [[name, value]]
  return Object.entries(value).flatMap(([key, below]) => leaves(below, `${name}.${key}`))
}

/** The first thing that is wrong, in one line, with the name of the setting. */
export function complaintOf(error: z.ZodError): string {
  const [issue] = error.issues
  if (issue === undefined) return 'it is none'
  if (issue.code === 'unrecognized_keys') return `there is no setting ${[...issue.path, issue.keys[0]].join('.')}`
  return firstIssue(error)
}
