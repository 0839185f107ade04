import { defineVerb } from '@switchyard/cli-kit'
import { authorFlags, look, nameOf } from '../session/session.ts'
import { primer, standingOf } from '../view/primer.ts'

/** `tissue prime`: what an agent must know to work here, short enough to stand in every prompt. */
export const prime = defineVerb({
  summary: 'Print what an agent must know to work with issues, in under 2 KB',
  flags: authorFlags,
  examples: ['tissue prime', 'tissue prime --as worker-1 >> AGENTS.md'],
  run(call) {
    const { store, ledger } = look(call, { openOnly: [] })
    const name = nameOf(call)
    const text = primer(name, standingOf(ledger, name, call.now()))
    call.output.one({ v: 1, name, store: store.path, text }, { text: () => text, id: () => name })
    return undefined
  },
})
