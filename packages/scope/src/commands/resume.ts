import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { record } from '../session/record.ts'
import { needScope } from '../session/scope-store.ts'
import { isOver } from '../session/transitions.ts'
import { keepLaunch, readLaunch } from '../start/launch.ts'
import { startDetached } from '../start/supervisor.ts'

/**
 * `scope resume`: takes up a session that is over, in its folder and its agent's own conversation. Exits 3 when it does
 * not exist, 5 when it is still at work or its agent has told no conversation.
 */
export const resume = defineVerb({
  summary: 'Go on with a session that is over',
  args: [
    { name: 'session', summary: 'Id or name', complete: 'session' },
    { name: 'prompt', summary: 'What it is told', optional: true },
  ],
  flags: {},
  examples: ['scope resume 0 "The tests of the parser still fail"'],
  async run(call) {
    const { args, env, output } = call
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const { id, state, agentSession } = await look(scribe, args.session)
    if (!isOver(state)) throw new Failure('conflict', `session ${id} is ${state}`, { hint: `scope wait ${id}` })
    if (agentSession === null) {
      throw new Failure('conflict', `the agent of session ${id} has told of no conversation to go on with`, {
        hint: `start it anew: scope spawn`,
        retryable: false,
      })
    }
    const { launch } = readLaunch(store, id, env)
    const contract = args.prompt ?? 'Go on with your task, and finish it.'
    await record(scribe, id, (session) => {
      if (session === undefined || !isOver(session.state))
        throw new Failure('conflict', `session ${id} goes on already`)
      keepLaunch(store, { ...launch, resume: agentSession, contract, env })
      return [{ event: 'resumed', by: 'resume' }]
    })
    const started = startDetached(store, id, { env, cwd: launch.cwd })
    await record(scribe, id, () => [{ event: 'launched', by: 'resume', process: started }])
    output.one({ v: 1, id }, { text: () => id, id: () => id })
    return undefined
  },
})
