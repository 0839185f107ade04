import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { abortTree } from '../end/abort-tree.ts'
import { scribeOf } from '../session/bus.ts'
import { findSession } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'

/**
 * `scope abort`: ends sessions and all that they started, the deepest first, and keeps what they left. Exits 3 when one
 * does not exist; one that is over stays as it is.
 */
export const abort = defineVerb({
  summary: 'End sessions with all that they started; their files stay',
  args: [{ name: 'session', summary: 'Ids or names', rest: true, complete: 'session' }],
  flags: {
    reason: { type: 'string', value: 'TEXT', default: 'aborted', summary: 'Why, for whoever waits' },
    'keep-children': { type: 'boolean', summary: 'Leave the sessions that it started' },
  },
  examples: ['scope abort 0', 'scope abort 0.1 --reason "wrong branch"'],
  async run(call) {
    const { args, flags, output } = call
    if (args.session.length === 0) throw new Failure('usage', 'expected sessions to abort, got none')
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const ids = args.session.map((name) => findSession(store, name).id)
    for (const id of ids) {
      const ended = await abortTree(scribe, id, { reason: flags.reason, keepsChildren: flags['keep-children'] })
      for (const one of ended) {
        output.each(one, {
          text: ({ id: name, status, was }) =>
            was === status ? `session ${name} was ${status} already` : `session ${name} is aborted`,
          id: ({ id: name }) => name,
        })
      }
    }
    return undefined
  },
})
