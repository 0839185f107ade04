import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { checkByHand } from '../loop/check-by-hand.ts'
import { scribeOf } from '../session/bus.ts'
import { look } from '../session/look.ts'
import { needScope } from '../session/scope-store.ts'
import { readLaunch } from '../start/launch.ts'
import { startSupervisor } from '../start/start-supervisor.ts'
import { sessionEnvironment } from '../start/supervisor.ts'

/**
 * `scope check`: judges the last result of a loop by its rubric as it stands, once, and changes nothing of the loop.
 * Exits 0 when the work would be accepted, 1 when not, 3 where there is no rubric or no result yet, 5 when this machine
 * did not write the rubric.
 */
export const check = defineVerb({
  summary: "Judge a loop's last result by its rubric, once",
  args: [{ name: 'session', summary: 'Id or name', complete: 'session' }],
  flags: {},
  examples: ['scope check 0', 'scope check 0 --json | jq -r .verdict'],
  async run(call) {
    const { args, env, output } = call
    const store = needScope(call)
    const scribe = scribeOf(call, store)
    const { id, results, loop: standing } = await look(scribe, args.session)
    const { launch, contract } = readLaunch(store, id, env)
    const { loop, cwd } = launch
    if (loop === undefined) throw new Failure('notFound', `session ${id} has no rubric: it is no loop`)
    if (results === 0)
      throw new Failure('notFound', `loop ${id} has no result to judge yet`, { hint: `scope wait ${id}` })
    const childEnv = sessionEnvironment(store, id, env)
    const checked = await checkByHand({
      ...{ scribe, id, launch: { ...launch, loop }, contract: contract.toString(), env: childEnv },
      ...{ iteration: standing?.iteration ?? 0, signal: call.interrupted() },
      startSupervisor: (member, { backend }) => startSupervisor(store, member, { env: childEnv, cwd, backend }),
    })
    const { verdict, feedback } = checked
    const shown = { v: 1, id, verdict: verdict.verdict, gates: verdict.gates, criteria: verdict.criteria, feedback }
    output.one(shown, { text: () => `${verdict.verdict}\n${feedback}`.trimEnd(), id: () => verdict.verdict })
    return verdict.verdict === 'accept' ? undefined : 1
  },
})
