import { defineVerb, type Shown } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { withoutSetting, withSetting } from '../config/change-setting.ts'
import { changeConfig, readConfig } from '../config/config-file.ts'
import type { Setting } from '../config/config-schema.ts'
import { findSettings, listSettings } from '../config/setting.ts'
import { isSessionId } from '../session/session-id.ts'

/**
 * `scope config`: the user's settings; with a name its value, which a second word sets. Exits 2 on a value that does
 * not fit, 3 on a name that is none, 5 where the agent of a session would change one.
 */
export const config = defineVerb({
  summary: 'List your settings, print or set one',
  args: [
    { name: 'name', summary: 'Name of a setting; all of them if not given', optional: true },
    { name: 'value', summary: 'What it is to be', optional: true },
  ],
  flags: { unset: { type: 'boolean', summary: 'Let it have its default again' } },
  examples: ['scope config', 'scope config types.explore.model haiku', 'scope config max_running --unset'],
  async run({ args: { name, value }, flags: { unset }, env, output }) {
    if (unset && (name === undefined || value !== undefined)) {
      const got = name === undefined ? 'none' : 'a value for it'
      throw new Failure('usage', `expected a setting to unset, got ${got}`, { hint: 'scope config NAME --unset' })
    }
    if (name === undefined) {
      output.list(listSettings(readConfig(env)), shownSetting)
      return undefined
    }
    if ((unset || value !== undefined) && isSessionId(env['SCOPE_SESSION_ID'] ?? '')) {
      throw new Failure('conflict', 'the agent of a session changes no settings', {
        hint: 'ask a person to do it',
        retryable: false,
      })
    }
    if (value !== undefined) await changeConfig(env, (raw) => withSetting(raw, name, value))
    if (unset) {
      await changeConfig(env, (raw) => withoutSetting(raw, name))
      return undefined
    }
    const found = findSettings(readConfig(env), name)
    if (found.length === 1 && found[0]?.name === name) output.one(found[0], shownValue)
    else output.list(found, shownSetting)
    return undefined
  },
})

const textOf = ({ value }: Setting) => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))

const shownSetting: Shown<Setting> = {
  text: (setting) => {
    const { name, origin, summary } = setting
    return `${name.padEnd(24)}  ${textOf(setting).padEnd(12)}  ${origin.padEnd(7)}  ${summary}`
  },
  id: ({ name }) => name,
}

const shownValue: Shown<Setting> = { text: textOf, id: textOf }
