import { defineVerb } from '@switchyard/cli-kit'
import { primer } from '../render/primer.ts'
import { readSession } from '../session/read-session.ts'
import { openScope } from '../session/scope-store.ts'
import { isSessionId } from '../session/session-id.ts'

/** `scope prime`: what an agent must know of sessions, and of its own, short enough to stand in every prompt. */
export const prime = defineVerb({
  summary: 'Print what an agent must know of sessions, in under 2 KB',
  flags: {},
  examples: ['scope prime', 'scope prime >> AGENTS.md'],
  run(call) {
    const store = openScope(call)
    const own = call.env['SCOPE_SESSION_ID'] ?? ''
    const session = isSessionId(own) ? readSession(store, own) : undefined
    const text = primer(session)
    const id = session?.id ?? null
    call.output.one({ v: 1, id, store: store.path, text }, { text: () => text, id: () => id ?? '' })
    return undefined
  },
})
