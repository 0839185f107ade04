import { defineVerb } from '@switchyard/cli-kit'
import { busExists } from '@switchyard/topic'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz where`: which store a command here uses, and why. */
export const where = defineVerb({
  summary: 'Print which store is used here, and why',
  flags: storeFlag,
  examples: ['jwz where'],
  run(call) {
    const store = openStore(call)
    const { path, root, reason } = store
    const exists = busExists(store)
    call.output.one(
      { v: 1, store: path, base: root, exists, reason },
      {
        text: () => `${path}\n${reason}${exists ? '' : '; not made yet, the first post makes it'}`,
        id: () => path,
      },
    )
    return undefined
  },
})
