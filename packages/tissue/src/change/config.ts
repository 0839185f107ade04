// Looking at what a store was told, and telling it.
import { basename } from 'node:path'
import { Failure } from '@switchyard/ground/failure'
import type { Draft } from '../log/draft.ts'
import type { Ledger } from '../log/fold.ts'
import type { Setting } from '../schema/schemas.ts'
import { checkSetting, describeSetting, type SettingName, settingNames, settingText } from '../store/settings.ts'
import { parsePrefix, prefixOf } from '../text/issue-id.ts'

const prefixSummary = 'how new ids begin; the name of the folder when nothing is set'

/** All settings of a store with their values; `root` is where the store lies. */
export function listSettings(ledger: Ledger, root: string): Setting[] {
  const prefix = ledger.prefix?.value
  const kept = settingNames.map((name) => {
    const { summary, initial } = describeSetting(name)
    return settingOf(name, settingText(ledger, name), initial, summary)
  })
  return [settingOf('prefix', prefix, prefixOf(basename(root)), prefixSummary), ...kept]
}

/** One setting. Exits 3, with the names there are, when it is none. */
export function findSetting(ledger: Ledger, root: string, name: string): Setting {
  const settings = listSettings(ledger, root)
  const found = settings.find((setting) => setting.name === name)
  if (found) return found
  throw new Failure('notFound', `expected a setting, got ${JSON.stringify(name)}`, {
    hint: `one of ${settings.map((setting) => setting.name).join(', ')}`,
  })
}

/**
 * What gives a setting a value, or with null takes it back; nothing when it is so already. Exits 2 on a value that it
 * does not take, 3 on a name that is none.
 */
export function decideSetting(ledger: Ledger, root: string, name: string, value: string | null): Draft[] {
  const now = findSetting(ledger, root, name)
  if (name === 'prefix') {
    // Ids need a prefix: taken back, it is that of the folder again, and the log says so.
    const prefix = value === null ? now.default : parsePrefix(value)
    return prefix === ledger.prefix?.value ? [] : [{ type: 'configured', prefix }]
  }
  const key = nameOf(name)
  if (value !== null) checkSetting(key, value)
  return value === (ledger.settings.get(key)?.value ?? null) ? [] : [{ type: 'configured', settings: { [key]: value } }]
}

function nameOf(text: string): SettingName {
  const name = settingNames.find((one) => one === text)
  if (!name) throw new Error(`bug: ${text} was found but is no setting`)
  return name
}

function settingOf(name: string, told: string | undefined, initial: string, summary: string): Setting {
  const origin = told === undefined ? 'default' : 'store'
  return { v: 1, name, value: told ?? initial, origin, default: initial, summary }
}
