import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { decideSetting, findSetting, listSettings } from '../change/config.ts'
import { shownSetting, shownValue } from '../render/setting.ts'
import { authorFlags, change, look, storeOf } from '../session/session.ts'

/**
 * `tissue config`: every setting of the store, its value and whether the store was told it; with a name the value, which
 * a second word sets for all who use the store. Exits 2 on a value that does not fit, 3 on a name that is none.
 */
export const config = defineVerb({
  summary: 'List the settings of the store, print or set one',
  args: [
    { name: 'name', summary: 'Name of a setting; all of them if not given', optional: true, complete: 'setting' },
    { name: 'value', summary: 'What it is to be', optional: true },
  ],
  flags: {
    unset: { type: 'boolean', summary: 'Let it have its default again' },
    ...authorFlags,
  },
  examples: ['tissue config', 'tissue config lease 1h', 'tissue config lease --unset'],
  async run(call) {
    const { output } = call
    const { name, value } = call.args
    const { unset } = call.flags
    if (unset && (name === undefined || value !== undefined)) {
      const got = name === undefined ? 'none' : 'a value for it'
      throw new Failure('usage', `expected a setting to unset, got ${got}`, { hint: 'tissue config NAME --unset' })
    }
    if (name === undefined) {
      const { store, ledger } = look(call)
      output.list(listSettings(ledger, store.root), shownSetting)
      return undefined
    }
    const { root } = storeOf(call)
    const { ledger } =
      unset || value !== undefined
        ? await change(call, (before) => decideSetting(before, root, name, value ?? null))
        : look(call)
    output.one(findSetting(ledger, root, name), shownValue)
    return undefined
  },
})
