import { defineVerb } from '@switchyard/cli-kit'
import { listSettings } from '../change/config.ts'
import { shownSetting } from '../render/setting.ts'
import { look, storeFlag } from '../session/session.ts'

/** `tissue config`: every setting of the store, its value and whether the store was told it. */
export const config = defineVerb({
  summary: 'List the settings of the store',
  flags: storeFlag,
  examples: ['tissue config', 'tissue config --json'],
  run(call) {
    const { store, ledger } = look(call)
    call.output.list(listSettings(ledger, store.base), shownSetting)
    return undefined
  },
})
