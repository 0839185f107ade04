import { defineVerb } from '@switchyard/cli-kit'
import { isMade } from '@switchyard/topic'
import { openScope } from '../session/scope-store.ts'

/** `scope where`: which store a command here uses, and why. */
export const where = defineVerb({
  summary: 'Print which store is used here, and why',
  flags: {},
  examples: ['scope where'],
  run(call) {
    const store = openScope(call)
    const { path, root, reason } = store
    const exists = isMade(store, 'sessions')
    call.output.one(
      { v: 1, store: path, base: root, exists, reason },
      {
        text: () => `${path}\n${reason}${exists ? '' : '; not made yet, the first session makes it'}`,
        id: () => path,
      },
    )
    return undefined
  },
})
