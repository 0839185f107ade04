import { defineVerb } from '@switchyard/cli-kit'
import { decideSetting, findSetting } from '../change/config.ts'
import { shownValue } from '../render/setting.ts'
import { authorFlags, change, storeOf } from '../session/session.ts'

/** `tissue config unset`: takes the value of a setting back, and prints the one that holds from now on. */
export const configUnset = defineVerb({
  summary: 'Let a setting have its default again',
  args: [{ name: 'name', summary: 'Name of the setting, as tissue config lists them', complete: 'setting' }],
  flags: authorFlags,
  examples: ['tissue config unset lease'],
  async run(call) {
    const { name } = call.args
    const { base } = storeOf(call)
    const { ledger } = await change(call, (before) => decideSetting(before, base, name, null))
    call.output.one(findSetting(ledger, base, name), shownValue)
    return undefined
  },
})
