import { join } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope, sessionFolder } from '../session/scope-store.ts'

/** `scope result`: the last answer of a session's agent, byte for byte. Exits 3 when there is none yet. */
export const result = defineVerb({
  summary: 'Print the last answer of a session',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: { path: { type: 'boolean', summary: 'Print where it lies instead' } },
  examples: ['scope result 0', 'cat "$(scope result 0 --path)"'],
  async run(call) {
    const store = needScope(call)
    const session = await look(scribeOf(call, store), call.args.session)
    const path = join(sessionFolder(store, session.id), 'result')
    const text = session.results === 0 ? undefined : readStored(path)
    if (text === undefined) {
      throw new Failure('notFound', `session ${session.id} has no result, it is ${session.state}`, {
        hint: `scope logs ${session.id}`,
      })
    }
    const found = { v: 1, id: session.id, status: session.state, path, text }
    call.output.one(found, { text: () => (call.flags.path ? path : text), id: ({ id }) => id })
    return undefined
  },
})
