import { join } from 'node:path'
import { defineVerb } from '@switchyard/cli-kit'
import { readStored } from '@switchyard/ground/disk'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope, sessionFolder } from '../session/scope-store.ts'

const iterationsMax = 1000

/**
 * `scope result`: the last answer of a session's agent, byte for byte; of a loop that of its last worker, or of the
 * worker of one iteration. Exits 3 when there is none yet, 2 when it is no loop and an iteration is asked for.
 */
export const result = defineVerb({
  summary: 'Print the last answer of a session',
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: {
    path: { type: 'boolean', summary: 'Print where it lies instead' },
    iteration: {
      ...({ type: 'integer', value: 'N', min: 0, max: iterationsMax } as const),
      summary: 'Of a loop: that of this iteration, from 0',
    },
  },
  examples: ['scope result 0', 'scope result 0 --iteration 1', 'cat "$(scope result 0 --path)"'],
  async run(call) {
    const store = needScope(call)
    const { iteration } = call.flags
    const scribe = scribeOf(call, store)
    const asked = await look(scribe, call.args.session)
    if (iteration !== undefined && asked.loop === null) throw new Failure('usage', `session ${asked.id} is no loop`)
    const session = iteration === undefined ? asked : await look(scribe, `${asked.id}-${iteration}-do`)
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
