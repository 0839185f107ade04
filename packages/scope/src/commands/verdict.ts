import { defineVerb } from '@switchyard/cli-kit'
import { Failure } from '@switchyard/ground/failure'
import { scribeOf } from '../session/bus.ts'
import { callingSessions } from '../session/callers.ts'
import { findSession } from '../session/read-session.ts'
import { record } from '../session/record.ts'
import { needScope } from '../session/scope-store.ts'
import { parentOf } from '../session/session-id.ts'
import { isOver } from '../session/transitions.ts'

const words = ['accept', 'retry', 'terminate'] as const

/**
 * `scope verdict`: the judge of a loop says how it judges, in place of the last line of its answer. Exits 2 outside the
 * session of a judge, 5 when it is over, or when another session's agent calls.
 */
export const verdict = defineVerb({
  summary: 'As the judge of a loop: say whether the work is accepted',
  args: [{ name: 'verdict', summary: 'accept, retry or terminate' }],
  flags: {
    criterion: { type: 'list', value: 'N=pass|fail', summary: 'Whether criterion N holds' },
    message: { type: 'string', value: 'TEXT', short: 'm', default: '', summary: 'What has to change' },
  },
  examples: ['scope verdict accept --criterion 1=pass', 'scope verdict retry -m "The error path has no test"'],
  async run(call) {
    const { args, flags, env, output } = call
    const own = env['SCOPE_SESSION_ID']
    const word = words.find((one) => one === args.verdict)
    if (word === undefined) {
      throw new Failure('usage', `expected accept, retry or terminate, got ${JSON.stringify(args.verdict)}`)
    }
    const store = needScope(call)
    if (!own || findSession(store, own).created.role !== 'check') {
      throw new Failure('usage', 'expected to be called by the judge of a loop, this is none')
    }
    // Above the judge stand its own processes, then the loop's.
    const callers = callingSessions(store, env)
    const loop = callers.indexOf(parentOf(own) ?? '')
    const other = callers.slice(0, loop < 0 ? undefined : loop).find((id) => id !== own)
    if (other !== undefined) {
      throw new Failure('conflict', `session ${other} cannot judge in the place of ${own}`, { retryable: false })
    }
    const criteria = flags.criterion.map(parseMark)
    await record(scribeOf(call, store), own, (session) => {
      if (session !== undefined && isOver(session.state)) {
        throw new Failure('conflict', `session ${own} is ${session.state} already`, { retryable: false })
      }
      return [{ event: 'judged', by: 'verdict', verdict: word, criteria, message: flags.message }]
    })
    output.one({ v: 1, id: own, verdict: word, criteria }, { text: ({ verdict: said }) => said, id: ({ id }) => id })
    return undefined
  },
})

function parseMark(text: string): { number: number; passed: boolean } {
  const [, number, mark] = /^([1-9]\d{0,3})=(pass|fail)$/.exec(text) ?? []
  if (number === undefined)
    throw new Failure('usage', `expected --criterion 1=pass or 1=fail, got ${JSON.stringify(text)}`)
  return { number: Number(number), passed: mark === 'pass' }
}
