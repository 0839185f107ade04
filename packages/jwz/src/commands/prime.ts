import { defineVerb } from '@switchyard/cli-kit'
import { identify } from '@switchyard/topic'
import { primer } from '../render/primer.ts'
import { storeFlag } from '../store/flags.ts'
import { openStore } from '../store/store.ts'

/** `jwz prime`: what an agent must know to use the bus, short enough to stand in every prompt. */
export const prime = defineVerb({
  summary: 'Print what an agent must know to use the bus, in under 2 KB',
  flags: { as: { type: 'string', value: 'NAME', summary: 'Whom it is for' }, ...storeFlag },
  examples: ['jwz prime', 'jwz prime --as worker-1 >> AGENTS.md'],
  run(call) {
    const store = openStore(call)
    const name = identify({ as: call.flags.as, env: call.env, store })
    const text = primer(name)
    call.output.one({ v: 1, name, store: store.path, text }, { text: () => text, id: () => name })
    return undefined
  },
})
