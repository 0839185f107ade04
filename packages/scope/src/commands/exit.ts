import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { exitFrom } from '../end/exit-from.ts'
import { scribeOf } from '../session/bus.ts'
import { exitReaches } from '../session/exit-reach.ts'
import { findSession } from '../session/read-session.ts'
import { needScope } from '../session/scope-store.ts'

/**
 * `scope exit`: a session says itself that its way leads nowhere, and why. Its agent ends with its turn, and whoever
 * waits for it gets the reason; so do the loop and the workflow around it, which stop. Exits 2 outside a session, 5
 * when the session is over.
 */
export const exit = defineVerb({
  summary: 'Stop this session on purpose, and say why',
  args: [{ name: 'reason', summary: 'Why it does not go on' }],
  flags: {
    scope: {
      ...{ type: 'choice', choices: exitReaches, default: 'workflow' },
      summary: 'How far it goes: this session alone, the loop around it, or the workflow',
    },
  },
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
    const ids = await exitFrom(scribeOf(call, store), id, { reason, reach: call.flags.scope })
    call.output.one(
      { v: 1, id, status: 'exited', exit_reason: reason, exited: ids },
      {
        text: () => ids.map((one) => `session ${one} has exited: ${reason}`).join('\n'),
        id: () => ids,
      },
    )
    return undefined
  },
})
