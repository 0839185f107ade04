import { defineVerb } from '@switchyard/cli-kit'
import { busExists, createBus } from '@switchyard/topic'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz init`: makes the store; the first post would do it too. */
export const init = defineVerb({
  summary: 'Make the store of this repository',
  flags: storeFlag,
  examples: ['jwz init'],
  run(call) {
    const store = openStore(call)
    const created = !busExists(store)
    createBus(store)
    call.output.one({ store: store.path, created }, { text: (made) => made.store, id: (made) => made.store })
    return undefined
  },
})
