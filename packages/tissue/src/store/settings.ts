// What a store can be told once for all who use it. Values are kept as they were written, in the log; one that this
// version cannot read counts as not given.
import { parseDuration } from '@switchyard/cli-kit/duration'
import { Failure } from '@switchyard/ground/failure'
import type { Ledger } from '../log/fold.ts'
import { isIssueType } from '../schema/event.check.ts'

type Setting<T> = {
  readonly summary: string
  /** What a value has to be, for the one who gave another. */
  readonly takes: string
  readonly initial: string
  readonly parse: (text: string) => T | undefined
}

/** What each setting is when it is used: durations in milliseconds. */
type Values = { readonly lease: number; readonly priority: number; readonly type: string; readonly stale: number }

/** Names of the settings; the prefix of ids, which is as old as the log, is kept beside them. */
export type SettingName = keyof Values

const table: { readonly [N in SettingName]: Setting<Values[N]> } = {
  lease: {
    summary: 'how long a claim lasts without --ttl',
    takes: 'a duration of at least 1ms such as 30m or 2h',
    initial: '30m',
    parse: parseLength,
  },
  priority: {
    summary: 'priority of a new issue without --priority',
    takes: 'a whole number from 1 to 5',
    initial: '2',
    parse: (text) => (/^[1-5]$/.test(text) ? Number(text) : undefined),
  },
  type: {
    summary: 'type of a new issue without --type',
    takes: 'a word of a-z, 0-9, - and _',
    initial: 'task',
    parse: (text) => (isIssueType(text) ? text : undefined),
  },
  stale: {
    summary: 'how long an issue rests before it is stale',
    takes: 'a duration of at least 1ms such as 14d',
    initial: '14d',
    parse: parseLength,
  },
}

/** Names of the settings in the order in which they are shown. */
export const settingNames = ['lease', 'priority', 'type', 'stale'] as const satisfies SettingName[]

/** What each setting is for, and its value in a store that was told nothing. */
export function describeSetting(name: SettingName): { summary: string; initial: string } {
  const { summary, initial } = table[name]
  return { summary, initial }
}

/** The value of a setting in this store: durations in milliseconds, the priority as a number. */
export function readSetting<N extends SettingName>(ledger: Pick<Ledger, 'settings'>, name: N): Values[N] {
  const setting = table[name]
  const value = settingText(ledger, name)
  const parsed = setting.parse(value ?? setting.initial) ?? setting.parse(setting.initial)
  if (parsed === undefined) throw new Error(`bug: ${name} begins with a value that it does not take`)
  return parsed
}

/** The text of a setting, if the store was told one that can be read. */
export function settingText(ledger: Pick<Ledger, 'settings'>, name: SettingName): string | undefined {
  const text = ledger.settings.get(name)?.value
  return text != null && table[name].parse(text) !== undefined ? text : undefined
}

/** Refuses a value that the setting does not take (exit 2). */
export function checkSetting(name: SettingName, text: string): void {
  const { parse, takes } = table[name]
  if (parse(text) !== undefined) return
  throw new Failure('usage', `expected ${name} to be ${takes}, got ${JSON.stringify(text)}`)
}

function parseLength(text: string): number | undefined {
  const length = parseDuration(text)
  return length === 0 ? undefined : length
}
