import { defineVerb } from '@switchyard/cli-kit'
import { findSetting } from '../change/config.ts'
import { shownValue } from '../render/setting.ts'
import { look, storeFlag } from '../session/session.ts'

/** `tissue config get`: prints the value of a setting. Exits 3 when there is none of that name. */
export const configGet = defineVerb({
  summary: 'Print the value of a setting',
  args: [{ name: 'name', summary: 'Name of the setting, as tissue config lists them', complete: 'setting' }],
  flags: storeFlag,
  examples: ['tissue config get lease'],
  run(call) {
    const { store, ledger } = look(call)
    call.output.one(findSetting(ledger, store.base, call.args.name), shownValue)
    return undefined
  },
})
