import { defineVerb } from '@switchyard/cli-kit'
import { decideSetting, findSetting } from '../change/config.ts'
import { shownValue } from '../render/setting.ts'
import { authorFlags, change, storeOf } from '../session/session.ts'

/** `tissue config set`: gives a setting a value, in the log, for all who use the store. */
export const configSet = defineVerb({
  summary: 'Give a setting a value, for all who use the store',
  args: [
    { name: 'name', summary: 'Name of the setting, as tissue config lists them', complete: 'setting' },
    { name: 'value', summary: 'Its value' },
  ],
  flags: authorFlags,
  examples: ['tissue config set lease 1h', 'tissue config set prefix auth'],
  async run(call) {
    const { name, value } = call.args
    const { base } = storeOf(call)
    const { ledger } = await change(call, (before) => decideSetting(before, base, name, value))
    call.output.one(findSetting(ledger, base, name), shownValue)
    return undefined
  },
})
