import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { findSession } from '../session/read-session.ts'
import { record } from '../session/record.ts'
import { needScope } from '../session/scope-store.ts'
import { isOver } from '../session/transitions.ts'

/**
 * `scope exit`: a session says itself that its way leads nowhere, and why. Its agent ends with its turn, and whoever
 * waits for it gets the reason. Exits 2 outside a session, 5 when the session is over.
 */
export const exit = defineVerb({
  summary: 'Stop this session on purpose, and say why',
  args: [{ name: 'reason', summary: 'Why it does not go on' }],
  flags: {},
  examples: ['scope exit "The auth module is event-driven: the plan does not fit"'],
  async run(call) {
    const own = call.env['SCOPE_SESSION_ID']
    if (own === undefined || own === '') {
      throw new Failure('usage', 'expected to be called by the agent of a session, SCOPE_SESSION_ID is not set', {
        hint: 'to stop a session from outside: scope abort ID',
      })
    }
    const reason = call.args.reason.trim()
    if (reason === '') throw new Failure('usage', 'expected a reason, got nothing')
    const store = needScope(call)
    const { id } = findSession(store, own)
    const after = await record(scribeOf(call, store), id, (session) => {
      if (session !== undefined && isOver(session.state)) {
        throw new Failure('conflict', `session ${id} is ${session.state} already`)
      }
      return [{ event: 'exited', by: 'exit', reason }]
    })
    call.output.one(
      { v: 1, id, status: after.state, exit_reason: reason },
      {
        text: () => `session ${id} has exited: ${reason}`,
        id: () => id,
      },
    )
    return undefined
  },
})
